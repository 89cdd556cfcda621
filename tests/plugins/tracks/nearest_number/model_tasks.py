"""A model task of another package: no file of the project names it."""

from collections.abc import Sequence
from pathlib import Path

from backend.tracks.model_tasks import (
    Message,
    ModelTask,
    OutputFault,
    TaskContext,
    TaskOutput,
    load_prompt,
)
from backend.tracks.prompt_text import data_block
from tests.plugins.tracks.nearest_number.track import Item, Prediction


class NumberOutput(TaskOutput):
    number: float


class Guess(ModelTask[Item, NumberOutput, Prediction]):
    name = "nearest-number-guess"
    track = "nearest-number"
    title = "Guess"
    output_schema = NumberOutput
    prompt = load_prompt(Path(__file__).parent, "nearest-number-guess")

    def messages(self, item: Item, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(name=data_block(item.name))

    def predict(self, item: Item, output: NumberOutput, context: TaskContext) -> Prediction:
        if not 0 <= output.number <= 1:
            raise OutputFault("The number is not from 0 to 1.", "number_out_of_range")
        return Prediction(item.name, output.number)


MODEL_TASKS = [Guess()]
