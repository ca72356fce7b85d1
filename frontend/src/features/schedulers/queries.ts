/** What the panel reads. Schedulers are looked at often while they are shown: leases change by time alone. */
import { queryOptions } from "@tanstack/react-query";
import { getConfiguration, listCelExamples, listCelPlugins, listSchedulers } from "../../transport/extension_api";
import { send } from "../../transport/rest";

export const schedulersQuery = (slug: string) =>
  queryOptions({
    queryKey: ["schedulers", slug],
    queryFn: async ({ signal }) => (await send(listSchedulers(slug), signal)).results,
    refetchInterval: 2_000,
    staleTime: 0,
  });

export const configurationQuery = (slug: string, scheduler: string) =>
  queryOptions({
    queryKey: ["configuration", slug, scheduler],
    queryFn: ({ signal }) => send(getConfiguration(slug, scheduler), signal),
    staleTime: 0,
    gcTime: 0,
    // A person's text is not to be replaced under their hands.
    refetchOnReconnect: false,
  });

export const celPluginsQuery = (slug: string) =>
  queryOptions({
    queryKey: ["cel-plugins", slug],
    queryFn: async ({ signal }) => (await send(listCelPlugins(slug), signal)).plugins,
    staleTime: 0,
  });

export const celExamplesQuery = queryOptions({
  queryKey: ["cel-examples"],
  queryFn: ({ signal }) => send(listCelExamples(), signal),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Every profile of every scheduler, with the plugins it runs. */
export const profilesQuery = (slug: string) =>
  queryOptions({
    queryKey: ["profiles-of-all", slug],
    queryFn: async ({ signal }) => {
      const { results } = await send(listSchedulers(slug), signal);
      const answers = await Promise.all(results.map(({ name }) => send(getConfiguration(slug, name), signal)));
      return answers.flatMap(({ document, profiles }, i) =>
        profiles.map((profile) => ({ scheduler: results[i]?.name ?? "", document, profile })),
      );
    },
    staleTime: 0,
  });
