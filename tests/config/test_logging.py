"""What a server prints of its own faults, without DEBUG."""

import os
import subprocess
import sys

ANSWERS = """
import django
django.setup()
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils.log import log_response
request = RequestFactory().get("/somewhere")
try:
    {}["missing"]
except KeyError as error:
    log_response("%s: %s", "Internal Server Error", request.path,
                 response=HttpResponse(status=500), request=request, exception=error)
log_response("%s: %s", "Not Found", request.path,
             response=HttpResponse(status=404), request=request)
"""


def test_a_fault_behind_an_answer_500_is_printed_with_its_place_and_a_404_is_not() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "DEBUG"}
    run = subprocess.run(
        [sys.executable, "-c", ANSWERS], env=environment, capture_output=True, text=True, check=True
    )
    assert "ERROR django.request: Internal Server Error: /somewhere" in run.stderr
    assert "KeyError: 'missing'" in run.stderr
    assert "Not Found" not in run.stderr
