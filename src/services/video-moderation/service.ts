import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ConfigOf } from '#base/config/setting.ts';
import type { ServiceCalls } from '#base/contract/calls.ts';
import type { MigrationSet } from '#base/db/migrate.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import { createGrpcServer, type GrpcServer } from '#base/grpc/server.ts';
import { invalid } from '#base/errors.ts';
import { openOutbound } from '#base/net/outbound.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import type { Caller } from '#identity/caller.ts';
import { createLanguageModel, type LanguageModel } from '#llm/language-model.ts';
import { openService, type OpenService, type RunningService, type ServiceContext } from '../open-service.ts';
import { Checks } from './checks/checks.ts';
import { checkHandlers } from './checks/routes.ts';
import type { videoModerationSections } from './config.ts';
import { checkOperations } from './contract/checks.ts';
import { deploymentOperations } from './contract/deployments.ts';
import { healthOperations } from './contract/health.ts';
import { Decoder } from './decoding/decoder.ts';
import { Deployments } from './deployments/deployments.ts';
import { deploymentHandlers } from './capabilities/routes.ts';
import type { Settings } from './deployments/settings.ts';
import {
  grpcSender,
  videoModerationMethods,
  videoModerationProto,
  videoModerationService,
} from './live/api/grpc/methods.ts';
import { openLive } from './live/open-live.ts';
import type { LiveStreams } from './live/sessions/live-streams.ts';
import { createCheckReferences } from './detectors/check-references.ts';
import { Detectors } from './detectors/detectors.ts';
import { ModelProcesses } from './detectors/model-processes.ts';
import { WordReaders } from './detectors/word-readers.ts';
import { createVision } from './detectors/vision.ts';
import { sealedSources } from './live/sessions/sealed-source.ts';

/** The tables of this service. */
export const videoModerationMigrations: MigrationSet = {
  schema: 'video_moderation',
  folder: join(import.meta.dirname, 'migrations'),
};

/** Its secrets at rest. */
export const videoModerationSealed: readonly SealedColumn[] = [sealedSources];

export interface VideoModerationContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof videoModerationSections>;
  /** Operations that services of this process answer for each other. */
  readonly calls: ServiceCalls<Caller>;
  /** Callbacks of live streams are sent by them. */
  readonly webhooks: Webhooks;
}

export interface VideoModeration extends RunningService {
  readonly grpc: GrpcServer;
}

const info = {
  name: 'video_moderation',
  title: 'Bulwark video moderation',
  description:
    'Judges videos by frames and clips, and says for each category how it was looked for. Without a language model and ' +
    'without internet: sexual content by an image model, flashes by the rule of WCAG, fire and movement as hints, words ' +
    'in pictures and subtitles by the policy guard.',
  apiKeys: false,
  takesFiles: true,
};

/** What base64 and JSON add to a video. */
const jsonBytes = (base64Bytes: number) => Math.ceil(base64Bytes / 3) * 4 + 64 * 1024;

/** Video moderation on a database that has its migrations and those of identity. Dispose it before the database. */
export async function createVideoModeration(ctx: VideoModerationContext): Promise<VideoModeration> {
  const bodyLimitBytes = Math.max(
    ctx.config.limits.bodyBytes,
    jsonBytes(ctx.config.videoModeration.base64Bytes),
  );
  await using service = openService(ctx, { ...info, bodyLimitBytes });
  const { decoder, streams } = await addFeatures(ctx, service);
  const state = await decoder.state();
  if (state.version === undefined) service.log.warn(state.message);
  else service.log.info(state.message);
  service.add(healthOperations, {
    getHealth: () => ({
      status: 'ok' as const,
      version: ctx.version,
      environment: ctx.config.environment,
      decoder: state.version ?? null,
    }),
  });
  const grpc = openGrpc(ctx, service, streams);
  return { ...service.open([grpc]), grpc };
}

function openGrpc(
  { config }: VideoModerationContext,
  service: OpenService,
  streams: LiveStreams,
): GrpcServer {
  const { frameBytes, mostPixels } = config.videoModeration;
  return createGrpcServer({
    protoFile: videoModerationProto,
    serviceName: videoModerationService,
    methods: videoModerationMethods({ streams, mostPixels }),
    config: config.grpc,
    // A frame and what is said of it.
    maxMessageBytes: frameBytes + 1024,
    log: service.log,
    metrics: service.metrics,
    authenticate: grpcSender(streams, service.authenticate),
  });
}

/** The configured vision model; undefined where there is none. */
function openVisionModel(ctx: VideoModerationContext, service: OpenService): LanguageModel | undefined {
  const { llm, videoModeration: own } = ctx.config;
  const baseUrl = own.visionUrl ?? llm.baseUrl;
  if (own.visionModel === undefined || baseUrl === undefined) return undefined;
  const { clock } = ctx;
  const settings = {
    ...llm,
    baseUrl,
    model: own.visionModel,
    apiKey: own.visionUrl === undefined ? llm.apiKey : own.visionKey,
    timeoutMs: own.visionTimeoutMs,
    attemptTimeoutMs: own.visionTimeoutMs,
  };
  return service.own(createLanguageModel(settings, { clock, log: service.log }));
}

async function addFeatures(
  ctx: VideoModerationContext,
  service: OpenService,
): Promise<{ decoder: Decoder; streams: LiveStreams }> {
  const { config, db, clock, identity, calls } = ctx;
  const { videoModeration: settings } = config;
  const outbound = service.own(openOutbound(config));
  const threads = service.own(new ModelProcesses(settings.modelProcesses));
  const readers = service.own(new WordReaders());
  const decoder = new Decoder(
    {
      ffmpegPath: settings.ffmpegPath,
      ffprobePath: settings.ffprobePath,
      memoryBytes: settings.decoderMemoryBytes,
      threads: settings.decoderThreads,
      mostPixels: settings.mostPixels,
    },
    (message) => service.log.warn(message),
  );
  const visionModel = openVisionModel(ctx, service);
  const detectors = new Detectors({
    threads,
    outbound,
    modelsFolder: settings.modelsFolder,
    visionModel: visionModel?.model,
  });
  const checkDetectors = ({ http }: Settings['detectors']) => {
    if (http.url === null) return;
    outbound.assertAllowed(http.url);
    if (http.categories.length === 0)
      throw invalid("'detectors.http.categories' must name the categories that it judges.");
  };
  const words = {
    calls,
    baseUrl: settings.policyGuardUrl ?? `http://127.0.0.1:${config.port.policyGuard}`,
    tokenFor: (caller: Caller) => identity.tokenFor(caller),
  };
  const deployments = new Deployments({
    db,
    clock,
    audit: identity.audit,
    ocrLanguages: settings.ocrLanguages,
    checkDetectors,
    checkReferences: createCheckReferences(words, settings.modelsFolder),
  });
  const wordReader = (languages: readonly string[]) => readers.for(languages);
  const vision = visionModel === undefined ? undefined : createVision(visionModel, settings.visionTimeoutMs);
  const frameDetectors = (of: Settings) => detectors.forFrames(of);
  const checks = new Checks({ decoder, words, wordReader, frameDetectors, vision, outbound }, settings);
  const streams = await openLive(ctx, service, {
    decoder,
    words,
    wordReader: (languages) => readers.for(languages, 'low'),
    frameDetectors,
    deployments,
    outbound,
  });
  const { log } = service;
  service.add(checkOperations, checkHandlers({ checks, decoder, deployments, log }));
  const limits = {
    url_bytes: settings.urlBytes,
    url_seconds: settings.longestSeconds,
    base64_bytes: settings.base64Bytes,
    upload_bytes: config.limits.uploadBytes,
    deadline_seconds: settings.deadlineSeconds,
    streams_per_key: settings.streamsPerKey,
    streams: settings.streamsPerCore * availableParallelism(),
    session_seconds: settings.sessionSeconds,
    idle_seconds: settings.idleSeconds,
  };
  const { visionTimeoutMs } = settings;
  service.add(
    deploymentOperations,
    deploymentHandlers({
      deployments,
      detectors,
      decoder,
      identity,
      limits,
      words,
      wordReader,
      visionModel,
      visionTimeoutMs,
    }),
  );
  return { decoder, streams };
}
