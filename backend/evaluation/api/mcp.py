"""The address of the Model Context Protocol, outside of the REST API and of its description."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from backend.accounts.api.current_user import get_actor_or_raise
from backend.accounts.api.token_authentication import ANY_TOKEN_OR_SESSION
from backend.evaluation.mcp_server import McpRequest, answer_request

SESSION_HEADER = "Serendib-Session"
# With these the SDK answers once, in JSON, whatever else the client would take.
FIXED_HEADERS = {"accept": "application/json", "content-type": "application/json"}
PROTOCOL_PREFIX = "mcp-"  # no cookie and no token reaches the SDK


class McpEndpoint(APIView):
    """Streamable HTTP without a stream: each request has its answer, so GET and DELETE are 405."""

    authentication_classes = ANY_TOKEN_OR_SESSION
    schema = None

    def post(self, request: Request) -> HttpResponse:
        actor = get_actor_or_raise(request)
        body = request.body
        _ = request.data  # refuses what cannot be read or stored, with a problem of its own
        sent = {name.lower(): value for name, value in request.headers.items()}
        protocol = {name: value for name, value in sent.items() if name.startswith(PROTOCOL_PREFIX)}
        session = request.headers.get(SESSION_HEADER, "")
        answer = answer_request(McpRequest(actor, body, {**protocol, **FIXED_HEADERS}, session))
        content_type = answer.headers.get("content-type", "application/json")
        return HttpResponse(answer.body, status=answer.status, content_type=content_type)
