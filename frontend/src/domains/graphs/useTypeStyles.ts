import { createContext, use } from "react";
import { typeStyle, type TypeStyles } from "./typeStyles";

export const TypeStylesContext = createContext<TypeStyles>(typeStyle);

export function useTypeStyles(): TypeStyles {
  return use(TypeStylesContext);
}
