"""The model keeper's room: slice, plan, train, evaluate, release."""
