import { createBrowserRouter } from "react-router";
import { Shell } from "./Shell";

/** Every page, loaded when first opened. A feature exports its page from its index. */
export const router = createBrowserRouter([
  {
    element: <Shell />,
    children: [],
  },
]);
