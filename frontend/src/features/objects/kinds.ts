/** The kinds of objects there are, and where theirs are found. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Resource } from "../../transport/api";
import { type KindCard, listKinds } from "../../transport/extension_api";
import { send } from "../../transport/rest";

export const kindsQuery = queryOptions({
  queryKey: ["kinds"],
  queryFn: async ({ signal }) => (await send(listKinds(), signal)).kinds,
  staleTime: Number.POSITIVE_INFINITY,
});

export const resourceOf = ({ api_version: apiVersion, plural, namespaced }: KindCard): Resource => ({
  apiVersion,
  plural,
  namespaced,
});

/** Undefined until the kinds are read, and for a kind nobody knows. */
export function useResource(kind: string): Resource | undefined {
  const { data } = useQuery(kindsQuery);
  const card = data?.find((each) => each.kind === kind);
  return card && resourceOf(card);
}
