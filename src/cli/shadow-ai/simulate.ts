import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, conflict } from '#base/errors.ts';
import { scenarioEvents, scenarioNames } from '#services/shadow-ai/simulator/scenarios.ts';
import {
  type PersonalityName,
  personalities,
  type Simulator,
  startSimulator,
} from '#services/shadow-ai/simulator/simulator.ts';
import { type Fault, faultNames } from '#services/shadow-ai/simulator/world.ts';
import { stopSignal } from '../stop-signal.ts';
import { openShadowAi, type ShadowAiOptions, type ShadowAiService } from './open.ts';

export interface SimulateOptions extends ShadowAiOptions {
  /** Which product; `--as` names a user elsewhere. */
  kind: PersonalityName;
  scenario: string;
  fault: Fault[];
  port: number;
  old?: boolean;
  connect?: boolean;
  replace?: boolean;
  once?: boolean;
}

export { faultNames, personalities, scenarioNames };

/** Late events arrive after so long. */
const lateMs = 30_000;
const hourMs = 3_600_000;
const longestPollMs = 15 * 60_000;

/** Runs a simulator until a signal, or, with `--once`, until a poll has read it. */
export async function simulate(options: SimulateOptions): Promise<void> {
  const { kind, scenario, fault, port, old = false } = options;
  // Stories of a few hours end now; the fleet's fortnight ends now too.
  const startMs = scenario === 'fleet' ? Date.now() : Date.now() - 4 * hourMs;
  const events = scenarioEvents(scenario, startMs);
  await using simulator = await startSimulator({ as: kind, events, faults: fault, port, isOld: old });
  console.log(`${kind} is simulated at ${simulator.url}: ${events.length} events of “${scenario}”.`);
  if (options.connect === true) await connectTo(simulator, options);
  else console.log(JSON.stringify(simulator.config, null, 2));
  if (options.once === true) return;
  const late = setTimeout(() => simulator.arriveLate(), lateMs);
  console.log('Ctrl-C ends it.');
  await stopSignal();
  clearTimeout(late);
}

/** Makes it the tenant's source, unless there is another, and waits for the first poll. */
async function connectTo(simulator: Simulator, options: SimulateOptions): Promise<void> {
  const { kind: _, as: __, ...connection } = options;
  const service = await openShadowAi(connection);
  const before = await service.connectors.getConnectorConfig({ query: {} });
  const isSimulated = JSON.stringify(before ?? {}).includes('//127.0.0.1:');
  if (before !== null && !isSimulated && options.replace !== true)
    throw conflict(
      `There is a connector already (${before.edr_framework}). --replace puts the simulator in its place; its ` +
        'credentials stay stored, and its polling stops.',
    );
  const { edr_framework, credentials, settings } = simulator.config;
  await service.connectors.putConnectorConfig({
    query: {},
    body: {
      edr_framework,
      credentials,
      // After one poll nobody is there to be asked again.
      settings: {
        history_days: 15,
        ...(options.once === true && { poll_interval_seconds: 86_400 }),
        ...settings,
      },
    },
  });
  await service.connectors.syncConnector({ query: {} });
  console.log('It is connected; the first poll runs …');
  const { total, devices } = await firstPoll(service);
  console.log(`${total} detections on ${devices} devices within two weeks. Next: bulwark shadow-ai status`);
}

async function firstPoll({
  connectors,
  detections,
}: ShadowAiService): Promise<{ total: number; devices: number }> {
  const started = Date.now();
  for (;;) {
    const { streams } = await connectors.getConnectorStatus({ query: {} });
    const failed = streams.find(({ last_error: error }) => error !== null);
    if (
      streams.length > 0 &&
      streams.every(({ last_success_at: at }) => at !== null && Date.parse(at) >= started)
    )
      break;
    if (Date.now() - started > longestPollMs)
      throw new AppError(504, 'timed_out', `The first poll did not end. ${failed?.last_error ?? ''}`);
    await sleep(500);
  }
  const start = new Date(Date.now() - 15 * 24 * hourMs).toISOString();
  const stats = await detections.getDetectionStats({ query: { start_date: start } });
  return { total: stats.total_detections, devices: stats.active_devices_monitored };
}
