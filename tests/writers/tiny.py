"""A tiny random Llama with a byte-level tokenizer and a chat template that knows enable_thinking; made in a second."""

from __future__ import annotations

from pathlib import Path

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)


def make(folder: Path, *, chat: bool = True, seed: int = 0) -> Path:
    """A model folder as save_pretrained writes it: 2 layers, 32 wide, a context of 256 tokens."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = {letter: index for index, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    inner = Tokenizer(models.BPE(vocab=letters, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        eos_token="<|im_end|>",  # noqa: S106 - a mark
        pad_token="<|pad|>",  # noqa: S106
        additional_special_tokens=["<|im_start|>"],
    )
    if chat:
        tokenizer.chat_template = TEMPLATE
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=256,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        initializer_range=0.5,
    )
    model = LlamaForCausalLM(config)
    with torch.no_grad():
        # a score of nought for the marks: the model does not end by chance
        model.lm_head.weight[len(letters) :] = 0.0
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
