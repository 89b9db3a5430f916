import type { Handlers } from '#base/http/mount.ts';
import { coverageOf } from '#engine/video/coverage.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { coveredByToWire } from '../checks/view.ts';
import type { deploymentOperations } from '../contract/deployments.ts';
import type { Decoder } from '../decoding/decoder.ts';
import type { Detectors } from '../detectors/detectors.ts';
import { tryDetector, type TryDeps } from '../detectors/try-detector.ts';
import type { DeploymentDraft, Deployments } from '../deployments/deployments.ts';
import { presetCategories } from '../deployments/settings.ts';
import type { StoredDeployment } from '../deployments/store.ts';

export interface DeploymentRoutesDeps extends TryDeps {
  readonly deployments: Deployments;
  readonly detectors: Detectors;
  readonly decoder: Decoder;
  readonly identity: Identity;
  readonly limits: Answer<typeof deploymentOperations.getCapabilities>['limits'];
}

const notCovered = [
  'Sound and speech are not listened to; only subtitles are read.',
  'Known abuse material is not recognised: that needs hash lists, which are given to few organisations.',
  'In live sessions there are no subtitles and no metadata, and the vision model is not asked.',
  'Faces are not compared, and manipulated faces are not recognised by their pictures.',
];

export function deploymentHandlers(
  deps: DeploymentRoutesDeps,
): Handlers<typeof deploymentOperations, Caller> {
  const { deployments, detectors, decoder, identity, limits } = deps;
  const view = async (each: StoredDeployment) => toWire(each, await identity.userNames([each.ownerId]));
  return {
    getCapabilities: async ({ caller, query }) => {
      const settings = await deployments.settings(caller, query.deployment_id);
      const state = await decoder.state();
      const covering = await detectors.covering(settings, state.version !== undefined);
      return {
        deployment_id: settings.deploymentId,
        categories: settings.categories,
        coverage: coverageOf(
          settings.categories.map(({ id }) => id),
          covering,
        ),
        covered_by: coveredByToWire(covering),
        detectors: await detectors.states(settings),
        decoder: {
          available: state.version !== undefined,
          version: state.version ?? null,
          sandbox: state.sandbox ?? null,
          message: state.message,
        },
        limits,
        not_covered: notCovered,
      };
    },
    listDeployments: async ({ caller, query }) => {
      const found = await deployments.list(caller, query.owner);
      const names = await identity.userNames(found.map(({ ownerId }) => ownerId));
      return { deployments: found.map((each) => toWire(each, names)), total: found.length };
    },
    createDeployment: async ({ caller, body, request }) =>
      view(await deployments.create({ caller, request }, draftOf(body))),
    getDeployment: async ({ caller, params }) => view(await deployments.get(caller, params.deployment_id)),
    updateDeployment: async ({ caller, params, body, request }) =>
      view(await deployments.update({ caller, request }, params.deployment_id, draftOf(body))),
    deleteDeployment: async ({ caller, params, request }) => {
      await deployments.delete({ caller, request }, params.deployment_id);
      return { message: 'The deployment was deleted.' };
    },
    testDetector: async ({ caller, body }) => {
      const start = performance.now();
      deployments.check(body.detectors);
      const settings = { deploymentId: null, categories: presetCategories(), detectors: body.detectors };
      const { ok, message, probs } = await tryDetector(deps, caller, body.detector, settings);
      return { ok, message, probs, latency_ms: performance.now() - start };
    },
  };
}

const draftOf = (body: {
  name: string;
  categories?: DeploymentDraft['categories'];
  detectors: DeploymentDraft['detectors'];
  visibility: DeploymentDraft['visibility'];
}): DeploymentDraft => ({ categories: undefined, ...body });

const toWire = (each: StoredDeployment, nameOf: (userId: string) => string | null) => ({
  deployment_id: each.deploymentId,
  name: each.name,
  categories: each.categories,
  detectors: each.detectors,
  visibility: each.visibility,
  owner_id: each.ownerId,
  owner_name: nameOf(each.ownerId),
  created_at: each.createdAt.toISOString(),
  updated_at: each.updatedAt.toISOString(),
});
