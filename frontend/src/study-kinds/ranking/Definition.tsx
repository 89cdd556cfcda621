import { SerendipityDefinition } from "@/domains/studies/definition/Definition";
import { DEFINITION_NOTE } from "./labels";

export const Definition = () => <SerendipityDefinition note={DEFINITION_NOTE} />;
