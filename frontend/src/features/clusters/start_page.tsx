/** The list of clusters. */
import { useQuery } from "@tanstack/react-query";
import { navigate } from "../../app/routes";
import { listClusters } from "../../transport/api";
import { send } from "../../transport/rest";
import { Button } from "../../ui/button";

export function StartPage() {
  const { data } = useQuery({ queryKey: ["clusters"], queryFn: ({ signal }) => send(listClusters(), signal) });
  const clusters = data === undefined ? [] : "results" in data ? data.results : data;
  return (
    <main>
      {clusters.map((cluster) => (
        <Button key={cluster.id} onClick={() => navigate({ page: "cluster", cluster: cluster.id })}>
          {cluster.name}
        </Button>
      ))}
    </main>
  );
}
