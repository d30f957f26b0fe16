"""The forms that ship with fabai, one TOML file each; fabai.form reads them."""
