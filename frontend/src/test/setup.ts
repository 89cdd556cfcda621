import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// How long a test waits for what must come: it only ends one that has gone wrong.
configure({ asyncUtilTimeout: 10_000 });

afterEach(cleanup);
