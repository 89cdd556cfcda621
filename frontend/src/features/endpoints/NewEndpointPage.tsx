import { useNavigate } from "react-router";
import { Page } from "@/components/Page";
import { NEW_DRAFT, newEndpointRequest } from "./draft";
import { EndpointForm } from "./EndpointForm";
import { useAddEndpoint } from "./mutations";

const INTRO = "A language model behind a server with OpenAI’s interface. It is not contacted before it is probed.";

export function NewEndpointPage() {
  const add = useAddEndpoint();
  const navigate = useNavigate();
  return (
    <Page title="Add an endpoint" parent={{ to: "/endpoints", label: "Endpoints" }} intro={INTRO}>
      <EndpointForm
        initial={NEW_DRAFT}
        isNew
        submitLabel="Add the endpoint"
        busyLabel="Adding"
        cancelTo="/endpoints"
        mutation={add}
        onSubmit={(draft) => add.mutate(newEndpointRequest(draft), { onSuccess: ({ id }) => void navigate(`/endpoints/${id}`) })}
      />
    </Page>
  );
}
