"""``permutree push``: a model for others, on the Hugging Face Hub."""

from __future__ import annotations

import click


@click.command(
    epilog="""\b
Examples:
  permutree push model my-name/permutree-sv
  permutree push model my-name/permutree-sv --private --message "Trained on Talbanken"
  permutree parse --model hf:my-name/permutree-sv "Vad vill du äta?"
"""
)
@click.argument("model", metavar="MODEL")
@click.argument("name", metavar="ORGANISATION/NAME")
@click.option("--revision", metavar="BRANCH", help="Push to this branch, which is made if it is not there.")
@click.option("--private", is_flag=True, help="A new model is seen by nobody but you and your organisation.")
@click.option("--message", metavar="TEXT", help="What is new, for the history of the model.")
def command(model: str, name: str, revision: str | None, private: bool, message: str | None) -> None:
    """Put the model folder MODEL on the Hugging Face Hub as ORGANISATION/NAME.

    Weights, graphs, vocabularies and the model card are pushed, nothing else. The card gets metadata: language,
    licence, tags. Log in before with `hf auth login`, or set HF_TOKEN. Others load the model as hf:ORGANISATION/NAME.
    """
    from permutree.integrations.hub import push

    address = push(model, name, revision=revision, private=private, message=message)
    click.echo(address)
