"""SIMD operations for kernels over rows of a block: a whole row is one value.

A block is an array [V] of float64, one column, or [V, c] whose rows fill one cache line: c is 8 for
float64 or 16 for float32. Lanes are a row of float64 sums, which the compiler keeps in vector
registers; plain numba keeps them in memory, at a third of the speed. Only compiled code can call
these functions, and row numbers are not checked.

    zero_lanes(block)                       zeros
    add_row(lanes, block, row)              lanes + block[row]
    add_row_if(lanes, block, row, so)       lanes + block[row] if so, else lanes: branch-free
    add_scaled_row(lanes, block, row, x)    lanes + x * block[row]
    store_row(block, row, lanes, x)         block[row] = lanes * x, rounded once to the block's type
    prefetch_row(block, row)                prefetches the row into the cache
"""

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
LINE = 64  # bytes of a cache line
WORD = ir.IntType(64)
FLAG = ir.IntType(32)
Lowered = tuple[Any, Callable[..., Any]]


def aligned_zeros(rows: int, columns: int, kind: type[Real]) -> NDArray[Real]:
    """Zeros whose rows are aligned to cache lines, if they fill whole ones. numpy's own arrays are
    not aligned, and a row that straddles two lines costs two accesses.
    """
    size = rows * columns * np.dtype(kind).itemsize
    buffer = np.zeros(size + LINE, np.uint8)
    begin = -buffer.ctypes.data % LINE
    return buffer[begin : begin + size].view(kind).reshape(rows, columns)


def lane_count(block: Any) -> int:
    """Columns of a block, from the type of its array."""
    return 1 if block.ndim == 1 else int(LINE // (block.dtype.bitwidth // 8))


class LanesType(types.Type):
    """numba type of a row of sums."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"Lanes({width})")


@register_model(LanesType)
class LanesModel(models.PrimitiveModel):
    """Data model: an LLVM vector of float64."""

    def __init__(self, manager: Any, kind: LanesType) -> None:
        lanes = ir.VectorType(ir.DoubleType(), kind.width)
        super().__init__(manager, kind, lanes)  # type: ignore[no-untyped-call]  # numba's own


def row_at(context: Any, builder: Any, kinds: Any, block: Any, row: Any) -> Any:
    """Address of a row, as a vector of the block's own type; kinds: of block and row."""
    kind, number = kinds
    array = context.make_array(kind)(context, builder, block)
    place = context.cast(builder, row, number, types.uint64)
    first = builder.gep(array.data, [builder.mul(place, WORD(lane_count(kind)))])
    element = context.get_data_type(kind.dtype)
    return builder.bitcast(first, ir.VectorType(element, lane_count(kind)).as_pointer())


def spread(builder: Any, number: Any, width: int) -> Any:
    """The same number in every lane."""
    result = ir.Constant(ir.VectorType(number.type, width), ir.Undefined)
    for lane in range(width):
        result = builder.insert_element(result, number, FLAG(lane))
    return result


def loaded(context: Any, builder: Any, kinds: Any, block: Any, row: Any) -> Any:
    """A row, converted to float64."""
    kind = kinds[0]
    address = row_at(context, builder, kinds, block, row)
    result = builder.load(address, align=kind.dtype.bitwidth // 8)
    if kind.dtype == types.float64:
        return result
    return builder.fpext(result, ir.VectorType(ir.DoubleType(), lane_count(kind)))


def _nothing(typing: Any, block: Any) -> Lowered:
    lanes = LanesType(lane_count(block))

    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return ir.Constant(ir.VectorType(ir.DoubleType(), lanes.width), None)

    return lanes(block), lower


def _plus(typing: Any, lanes: Any, block: Any, row: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.fadd(given[0], loaded(context, builder, (block, row), given[1], given[2]))

    return lanes(lanes, block, row), lower


def _plus_if(typing: Any, lanes: Any, block: Any, row: Any, so: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        result = loaded(context, builder, (block, row), given[1], given[2])
        # A bit mask, because the compiler would turn a select into a branch.
        bits = ir.VectorType(WORD, lanes.width)
        all_or_none = builder.sext(context.cast(builder, given[3], so, types.boolean), WORD)
        masked = builder.and_(
            builder.bitcast(result, bits), spread(builder, all_or_none, lanes.width)
        )
        return builder.fadd(given[0], builder.bitcast(masked, result.type))

    return lanes(lanes, block, row, so), lower


def _plus_times(typing: Any, lanes: Any, block: Any, row: Any, factor: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        result = loaded(context, builder, (block, row), given[1], given[2])
        number = context.cast(builder, given[3], factor, types.float64)
        return builder.fadd(given[0], builder.fmul(spread(builder, number, lanes.width), result))

    return lanes(lanes, block, row, factor), lower


def _store(typing: Any, block: Any, row: Any, lanes: Any, factor: Any) -> Lowered:
    def lower(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        number = context.cast(builder, given[3], factor, types.float64)
        result = builder.fmul(given[2], spread(builder, number, lanes.width))
        if block.dtype != types.float64:
            element = context.get_data_type(block.dtype)
            result = builder.fptrunc(result, ir.VectorType(element, lanes.width))
        address = row_at(context, builder, (block, row), given[0], given[1])
        builder.store(result, address, align=block.dtype.bitwidth // 8)
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
        """Static type of the value that compiled code sees."""

    def zero_lanes(block: Block) -> Lanes: ...
    def add_row(lanes: Lanes, block: Block, row: Row) -> Lanes: ...
    def add_row_if(lanes: Lanes, block: Block, row: Row, so: bool | np.bool_) -> Lanes: ...
    def add_scaled_row(lanes: Lanes, block: Block, row: Row, factor: float) -> Lanes: ...
    def store_row(block: Block, row: Row, lanes: Lanes, factor: float) -> None: ...
    def prefetch_row(block: Block, row: Row) -> None: ...
else:
    zero_lanes, add_row, add_row_if, add_scaled_row, store_row, prefetch_row = map(
        intrinsic, (_nothing, _plus, _plus_if, _plus_times, _store, _fetch)
    )
