/** The templates of pods and nodes; they never change while the server runs. */
import { useQuery } from "@tanstack/react-query";
import { listTemplates } from "../../transport/api";
import { send } from "../../transport/rest";

export const useTemplates = () =>
  useQuery({
    queryKey: ["templates"],
    queryFn: ({ signal }) => send(listTemplates(), signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
