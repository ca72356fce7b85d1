import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StartPage } from "../features/clusters/start_page";
import { TooltipLayer } from "../ui/tooltip";
import { ClusterProvider } from "./cluster_context";
import { ClusterPage } from "./cluster_page";
import { route } from "./routes";
import { useStore } from "./use_store";

const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, retry: 3, refetchOnWindowFocus: false } },
});

export function App() {
  const at = useStore(route);
  return (
    <QueryClientProvider client={queries}>
      {at.page === "start" ? (
        <StartPage />
      ) : (
        <ClusterProvider key={at.cluster} slug={at.cluster}>
          <ClusterPage />
        </ClusterProvider>
      )}
      <TooltipLayer />
    </QueryClientProvider>
  );
}
