import { useMediaQuery } from "@/lib/useMediaQuery";

/** Whether the details and the picture fit side by side. */
export const useWideScreen = () => useMediaQuery("(min-width: 1100px)");
