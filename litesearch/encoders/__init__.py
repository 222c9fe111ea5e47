"""Encoders: texts -> unit vectors. See base.Encoder for the protocol."""

from .base import Encoder, as_rows, get_encoder, unit_rows

__all__ = ["Encoder", "as_rows", "get_encoder", "unit_rows"]
