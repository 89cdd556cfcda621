"""The words that kernels over rows of a block are written in: a whole row is one value.

A block is an array [V] of float64, one column, or [V, c] whose rows fill one line of the cache:
c is 8 of float64 or 16 of float32. Its lanes are a row of sums, always of float64, which the
compiler keeps in vector registers; numba alone would keep them in memory, at a third of the speed.
Only compiled code can call these, and nothing checks a row's number.

    nothing(block)                     zeros
    plus(lanes, block, row)            lanes + block[row]
    plus_if(lanes, block, row, so)     lanes + block[row] if so, else lanes: without a branch
    plus_times(lanes, block, row, x)   lanes + x * block[row]
    store(block, row, lanes, x)        block[row] = lanes * x, rounded once to the block's type
    fetch(block, row)                  tells the memory that this row will soon be asked for
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

Block = NDArray[np.floating[Any]]
Row = int | np.integer[Any]
Real = TypeVar("Real", bound=np.floating[Any])
LINE = 64  # bytes of a line of the cache
WORD = ir.IntType(64)
FLAG = ir.IntType(32)
Lowered = tuple[Any, Callable[..., Any]]


def aligned(rows: int, columns: int, kind: type[Real]) -> NDArray[Real]:
    """Zeros whose rows begin where a line of the cache does, if they fill whole ones: numpy's own
    arrays begin elsewhere, and a row that straddles two lines costs two."""
    size = rows * columns * np.dtype(kind).itemsize
    room = np.zeros(size + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    return room[begin : begin + size].view(kind).reshape(rows, columns)


def width_of(block: Any) -> int:
    """Columns of a block, from the type of its array."""
    return 1 if block.ndim == 1 else int(LINE // (block.dtype.bitwidth // 8))


class LanesType(types.Type):
    """So many sums at once."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"Lanes({width})")


@register_model(LanesType)
class LanesModel(models.PrimitiveModel):
    """One value for the compiler: a vector of float64."""

    def __init__(self, manager: Any, kind: LanesType) -> None:
        lanes = ir.VectorType(ir.DoubleType(), kind.width)
        super().__init__(manager, kind, lanes)  # type: ignore[no-untyped-call]  # numba's own


def row_at(context: Any, builder: Any, kinds: Any, block: Any, row: Any) -> Any:
    """The address of a row, as a vector of the block's own type; kinds: of block and row."""
    kind, number = kinds
    array = context.make_array(kind)(context, builder, block)
    place = context.cast(builder, row, number, types.uint64)
    first = builder.gep(array.data, [builder.mul(place, WORD(width_of(kind)))])
    element = context.get_data_type(kind.dtype)
    return builder.bitcast(first, ir.VectorType(element, width_of(kind)).as_pointer())


def spread(builder: Any, number: Any, width: int) -> Any:
    """The same number in every lane."""
    found = ir.Constant(ir.VectorType(number.type, width), ir.Undefined)
    for lane in range(width):
        found = builder.insert_element(found, number, FLAG(lane))
    return found


def loaded(context: Any, builder: Any, kinds: Any, block: Any, row: Any) -> Any:
    """A row in float64."""
    kind = kinds[0]
    address = row_at(context, builder, kinds, block, row)
    found = builder.load(address, align=kind.dtype.bitwidth // 8)
    if kind.dtype == types.float64:
        return found
    return builder.fpext(found, ir.VectorType(ir.DoubleType(), width_of(kind)))


def _nothing(typing: Any, block: Any) -> Lowered:
    lanes = LanesType(width_of(block))

    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return ir.Constant(ir.VectorType(ir.DoubleType(), lanes.width), None)

    return lanes(block), lower


def _plus(typing: Any, lanes: Any, block: Any, row: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.fadd(given[0], loaded(context, builder, (block, row), given[1], given[2]))

    return lanes(lanes, block, row), lower


def _plus_if(typing: Any, lanes: Any, block: Any, row: Any, so: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        found = loaded(context, builder, (block, row), given[1], given[2])
        # Bits and not a select, which the compiler would make a branch of again.
        bits = ir.VectorType(WORD, lanes.width)
        all_or_none = builder.sext(context.cast(builder, given[3], so, types.boolean), WORD)
        kept = builder.and_(builder.bitcast(found, bits), spread(builder, all_or_none, lanes.width))
        return builder.fadd(given[0], builder.bitcast(kept, found.type))

    return lanes(lanes, block, row, so), lower


def _plus_times(typing: Any, lanes: Any, block: Any, row: Any, factor: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        found = loaded(context, builder, (block, row), given[1], given[2])
        number = context.cast(builder, given[3], factor, types.float64)
        return builder.fadd(given[0], builder.fmul(spread(builder, number, lanes.width), found))

    return lanes(lanes, block, row, factor), lower


def _store(typing: Any, block: Any, row: Any, lanes: Any, factor: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        number = context.cast(builder, given[3], factor, types.float64)
        found = builder.fmul(given[2], spread(builder, number, lanes.width))
        if block.dtype != types.float64:
            element = context.get_data_type(block.dtype)
            found = builder.fptrunc(found, ir.VectorType(element, lanes.width))
        address = row_at(context, builder, (block, row), given[0], given[1])
        builder.store(found, address, align=block.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(block, row, lanes, factor), lower


def _fetch(typing: Any, block: Any, row: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        anything = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [anything, FLAG, FLAG, FLAG])
        name, module = "llvm.prefetch.p0i8", builder.module
        declared: Any = cgutils.get_or_insert_function
        call = declared(module, kind, name)
        address = row_at(context, builder, (block, row), given[0], given[1])
        to_read, keep, data = FLAG(0), FLAG(3), FLAG(1)
        builder.call(call, [builder.bitcast(address, anything), to_read, keep, data])
        return context.get_dummy_value()

    return types.void(block, row), lower


if TYPE_CHECKING:

    class Lanes:
        """What compiled code sees as one value."""

    def nothing(block: Block) -> Lanes: ...
    def plus(lanes: Lanes, block: Block, row: Row) -> Lanes: ...
    def plus_if(lanes: Lanes, block: Block, row: Row, so: bool | np.bool_) -> Lanes: ...
    def plus_times(lanes: Lanes, block: Block, row: Row, factor: float) -> Lanes: ...
    def store(block: Block, row: Row, lanes: Lanes, factor: float) -> None: ...
    def fetch(block: Block, row: Row) -> None: ...
else:
    nothing, plus, plus_if, plus_times, store, fetch = map(
        intrinsic, (_nothing, _plus, _plus_if, _plus_times, _store, _fetch)
    )
