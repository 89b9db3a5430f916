/** Live sessions of the service: wired from what it has, and their doors. */
import { availableParallelism } from 'node:os';
import type { ConfigOf } from '#base/config/setting.ts';
import { AppError, StartupError } from '#base/errors.ts';
import { openEventLog } from '#base/events/event-log.ts';
import { acceptSockets } from '#base/events/sockets.ts';
import type { Webhooks } from '#base/events/webhooks/webhooks.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { sealingSecret } from '#base/secrets/shared-keys.ts';
import { openVault } from '#base/secrets/vault.ts';
import type { OpenService, ServiceContext } from '../../open-service.ts';
import type { AnalysisDeps } from '../checks/analyse.ts';
import type { videoModerationSections } from '../config.ts';
import { streamOperations, streamSockets } from '../contract/streams.ts';
import type { Deployments } from '../deployments/deployments.ts';
import { addressesOf } from './api/addresses.ts';
import { mountStreamSockets, streamHandlers } from './api/routes.ts';
import { takeSdp, whipHandlers } from './api/whip-routes.ts';
import { LiveStreams } from './sessions/live-streams.ts';
import { deleteStreamsBefore } from './sessions/store.ts';
import { StreamTokens } from './sessions/tokens.ts';
import { createPullers } from './sources/pullers.ts';
import { RtmpListener } from './sources/rtmp/listener.ts';

export interface LiveParts extends Pick<AnalysisDeps, 'decoder' | 'words' | 'wordReader' | 'frameDetectors'> {
  readonly deployments: Deployments;
  readonly outbound: Outbound;
}

export interface LiveContext extends ServiceContext {
  readonly config: ServiceContext['config'] & ConfigOf<typeof videoModerationSections>;
  /** Callbacks are sent by them. */
  readonly webhooks: Webhooks;
}

/** Sessions that have ended are kept for so long, with their events. */
const keptDays = 30;

export async function openLive(
  ctx: LiveContext,
  service: OpenService,
  parts: LiveParts,
): Promise<LiveStreams> {
  const { config, db, clock, identity, jobs, webhooks } = ctx;
  const { videoModeration: settings } = config;
  const { log } = service;
  const { outbound } = parts;
  const vault = await openVault(config);
  const tokens = new StreamTokens(await sealingSecret(config));
  const events = service.own(await openEventLog({ db, clock, log }));
  const rtmp = service.own(
    new RtmpListener({
      host: config.host,
      ports: { rtmp: settings.rtmpPort, rtmps: settings.rtmpsPort },
      certFile: settings.rtmpsCertFile,
      keyFile: settings.rtmpsKeyFile,
      log,
      mostBytes: settings.frameBytes,
      admit: async (streamId, token, transport) => {
        const caller = await streams.callerByToken('ingest', streamId, token);
        if (caller === undefined)
          throw new AppError(401, 'invalid_token', 'The token of the stream is wrong.');
        return streams.attend(caller, streamId, transport);
      },
    }),
  );
  const streams: LiveStreams = service.own(
    await LiveStreams.open({
      ...parts,
      db,
      clock,
      log,
      identity,
      counted: service.counted,
      vault,
      tokens,
      events,
      webhooks,
      isAlone: config.database.url === undefined,
      limits: {
        streamsPerKey: settings.streamsPerKey,
        streams: settings.streamsPerCore * availableParallelism(),
        sessionSeconds: settings.sessionSeconds,
        idleSeconds: settings.idleSeconds,
        frameBytes: settings.frameBytes,
      },
      pullers: createPullers({ outbound, clock }),
      openDoor: async (transport) => {
        if (transport === 'rtmp' || transport === 'rtmps') await rtmp.open(transport);
      },
    }),
  );
  await scheduleRetention({
    jobName: 'video-streams-retention',
    days: keptDays,
    jobs,
    clock,
    deleteBefore: async (moment, limit) => {
      const deleted = await deleteStreamsBefore(db, moment, limit);
      for (const { callbackId } of deleted) if (callbackId !== null) await webhooks.remove(callbackId);
      return deleted.length;
    },
    afterwards: async () => {
      const moment = new Date(clock.now() - keptDays * 86_400_000);
      while ((await events.deleteBefore(moment, 500)) === 500);
    },
  });
  const addresses = addressesOf({
    app: service.app,
    host: config.host,
    port: config.port.videoModeration,
    grpcPort: config.port.videoModerationGrpc,
    publicUrl: settings.publicUrl,
    tokens,
    clock,
    rtmpPort: (transport) => rtmp.port(transport),
  });
  acceptSockets(service.app);
  takeSdp(service.app);
  const whip = whipHandlers({
    streams,
    log,
    host: config.host,
    ports: portRange(settings.webrtcPorts),
    authenticate: service.authenticate,
  });
  service.add(streamOperations, { ...streamHandlers({ streams, addresses }), ...whip });
  mountStreamSockets(service.app, {
    streams,
    identity,
    log,
    authenticate: service.authenticate,
    frameBytes: settings.frameBytes,
    mostPixels: settings.mostPixels,
    idleMs: settings.idleSeconds * 1000,
  });
  service.describe(streamSockets);
  return streams;
}

/** @throws StartupError for a setting that is no range of ports */
function portRange(ports: readonly string[]): readonly [number, number] | undefined {
  if (ports.length === 0) return undefined;
  const [first = 0, last = 0] = ports.map(Number);
  const isRange =
    Number.isInteger(first) && Number.isInteger(last) && first > 0 && last <= 65_535 && first <= last;
  if (ports.length !== 2 || !isRange)
    throw new StartupError(
      `video_moderation.webrtc_ports must be two UDP ports such as 50000,50100; it is ${ports.join(',')}.`,
    );
  return [first, last];
}
