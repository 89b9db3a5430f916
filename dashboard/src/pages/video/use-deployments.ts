import { useQuery } from '@tanstack/react-query';
import { video, videoKey, type Deployment } from '../../api/video.ts';

/** Sets of categories, thresholds and detectors that the user may use. */
export const useDeployments = () =>
  useQuery({
    queryKey: [...videoKey, 'deployments'],
    queryFn: () => video.listDeployments({ query: {} }),
  });

/** Of the preset of an installation. */
const presetThreshold = 0.5;

export const thresholdOf = (deployment: Deployment | undefined, category: string): number =>
  deployment?.categories.find(({ id }) => id === category)?.threshold ?? presetThreshold;

/** The deployment by which something was judged; undefined for the preset of the installation. */
export function useDeployment(deploymentId: string | null | undefined): Deployment | undefined {
  const { data } = useDeployments();
  return data?.deployments.find(({ deployment_id: id }) => id === deploymentId);
}
