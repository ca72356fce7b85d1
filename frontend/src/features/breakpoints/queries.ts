import { queryOptions } from "@tanstack/react-query";
import { listBreakpoints } from "../../transport/history_api";
import { send } from "../../transport/rest";

export const breakpointsQuery = (cluster: string) =>
  queryOptions({
    queryKey: ["breakpoints", cluster],
    queryFn: async ({ signal }) => (await send(listBreakpoints(cluster), signal)).breakpoints,
  });
