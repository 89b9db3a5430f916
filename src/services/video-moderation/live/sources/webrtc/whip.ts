/**
 * Publishing by WebRTC (WHIP, RFC 9725). We are the passive side (ICE lite): addresses in an offer are neither resolved
 * nor contacted, and no server outside is asked for ours.
 */
import {
  RTCPeerConnection,
  useH264,
  useOPUS,
  useVP8,
  type MediaStreamTrack,
  type RTCRtpTransceiver,
} from 'werift';
import { AppError, invalid } from '#base/errors.ts';
import { isLoopback } from '#base/http/listen.ts';
import type { Logger } from '#base/log/log.ts';
import { H264Reader } from '../../coding/h264.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import { isVp8Key, RtpPictures, type RtpPicture } from './rtp-pictures.ts';

export interface WhipSettings {
  readonly host: string;
  /** First and last UDP port; undefined: any. */
  readonly ports: readonly [number, number] | undefined;
  readonly log: Logger;
}

const connectWithinMs = 15_000;
const gatherWithinMs = 5000;
const keyRequestMs = 500;
/** Only a hint: the stream itself says. */
const presetSize = { width: 1280, height: 720 } as const;

/** Addresses of the other side are not needed, and could be of anything. */
const withoutCandidates = (offer: string): string =>
  offer
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('a=candidate') && !line.startsWith('a=end-of-candidates'))
    .join('\r\n');

/**
 * Answers an offer; pictures go to the session until the connection or the session ends.
 * @throws AppError 422 for an offer that cannot be answered, 409 while another sender is connected
 */
export async function publish(settings: WhipSettings, session: LiveSession, offer: string): Promise<string> {
  if (!/^m=video/m.test(offer)) throw invalid('The offer has no video.');
  const sender = session.attend();
  const connection = new RTCPeerConnection(configuration(settings));
  const publisher = new Publisher(connection, session, sender);
  try {
    await connection.setRemoteDescription({ type: 'offer', sdp: withoutCandidates(offer) });
    for (const transceiver of connection.getTransceivers())
      transceiver.setDirection(transceiver.kind === 'video' ? 'recvonly' : 'inactive');
    await connection.setLocalDescription(await connection.createAnswer());
    await gathered(connection);
    const answer = connection.localDescription?.sdp;
    if (answer === undefined) throw new Error('There is no answer.');
    publisher.start();
    return answer;
  } catch (cause) {
    await publisher.close();
    if (cause instanceof AppError) throw cause;
    settings.log.debug({ err: cause }, 'an offer could not be answered');
    throw invalid('The offer cannot be answered. H.264 or VP8 is needed.', cause);
  }
}

const configuration = ({ host, ports }: WhipSettings) => ({
  codecs: { video: [useH264(), useVP8()], audio: [useOPUS()] },
  iceServers: [],
  iceLite: true,
  iceUseTcp: false,
  iceTcpPassive: false,
  iceUseIpv6: false,
  ...(isLoopback(host) && {
    iceInterfaceAddresses: { udp4: '127.0.0.1' },
    iceAdditionalHostAddresses: ['127.0.0.1'],
  }),
  ...(ports !== undefined && { icePortRange: [ports[0], ports[1]] as [number, number] }),
});

async function gathered(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === 'complete') return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, gatherWithinMs);
    connection.iceGatheringStateChange.subscribe((state) => {
      if (state !== 'complete') return;
      clearTimeout(timer);
      resolve();
    });
  });
}

class Publisher {
  readonly #connection: RTCPeerConnection;
  readonly #session: LiveSession;
  readonly #sender: Disposable;
  readonly #h264 = new H264Reader();
  readonly #late: NodeJS.Timeout;
  readonly #ended = () => void this.close();
  #transceiver: RTCRtpTransceiver | undefined;
  #ssrc: number | undefined;
  #keyAskedMs = -Infinity;
  #needsKey = true;
  #isClosed = false;

  constructor(connection: RTCPeerConnection, session: LiveSession, sender: Disposable) {
    this.#connection = connection;
    this.#session = session;
    this.#sender = sender;
    this.#late = setTimeout(this.#ended, connectWithinMs);
    connection.onRemoteTransceiverAdded.subscribe((transceiver) => {
      if (transceiver.kind !== 'video' || this.#transceiver !== undefined) return;
      this.#transceiver = transceiver;
      transceiver.onTrack.subscribe((track) => this.#follow(track));
    });
  }

  start(): void {
    this.#session.onKeyWanted = () => this.#askForKey();
    this.#session.signal.addEventListener('abort', this.#ended, { once: true });
    this.#connection.connectionStateChange.subscribe((state) => {
      if (state === 'connected') clearTimeout(this.#late);
      if (state === 'failed' || state === 'closed' || state === 'disconnected') void this.close();
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#late);
    this.#session.signal.removeEventListener('abort', this.#ended);
    this.#sender[Symbol.dispose]();
    await this.#connection.close().catch(() => undefined);
  }

  #follow(track: MediaStreamTrack): void {
    const readers = new Map<number, RtpPictures>();
    track.onReceiveRtp.subscribe(({ header, payload }) => {
      if (this.#isClosed) return;
      this.#ssrc = header.ssrc;
      const { payloadType, sequenceNumber: sequence, timestamp, marker: isLast } = header;
      let reader = readers.get(payloadType);
      if (reader === undefined) {
        const codec = this.#codecOf(payloadType);
        if (codec === undefined) return;
        reader = this.#readerOf(codec);
        readers.set(payloadType, reader);
        this.#askForKey();
      }
      reader.take({ sequence, timestamp, isLast, payload });
    });
  }

  #codecOf(payloadType: number): 'h264' | 'vp8' | undefined {
    const codec = this.#transceiver?.codecs.find((each) => each.payloadType === payloadType);
    const name = codec?.mimeType.toLowerCase();
    return name === 'video/h264' ? 'h264' : name === 'video/vp8' ? 'vp8' : undefined;
  }

  #readerOf(codec: 'h264' | 'vp8'): RtpPictures {
    const take = (picture: RtpPicture) => this.#take(codec, picture);
    return new RtpPictures(codec, take, () => {
      this.#needsKey = true;
      this.#askForKey();
    });
  }

  #take(codec: 'h264' | 'vp8', { data, timestampMs }: RtpPicture): void {
    const arrivedMs = performance.now();
    const found =
      codec === 'h264' ? this.#h264.read(data) : { data, isKey: isVp8Key(data), description: undefined };
    if (found === undefined) {
      this.#askForKey();
      return;
    }
    // After a loss nothing is whole until the next key frame.
    if (this.#needsKey && !found.isKey) {
      this.#askForKey();
      return;
    }
    this.#needsKey = false;
    this.#session.configure({ codec, ...presetSize, description: found.description });
    this.#session.push({ data: found.data, timestampMs, isKey: found.isKey, arrivedMs });
  }

  #askForKey(): void {
    const now = performance.now();
    if (this.#ssrc === undefined || now - this.#keyAskedMs < keyRequestMs) return;
    this.#keyAskedMs = now;
    void this.#transceiver?.receiver.sendRtcpPLI(this.#ssrc).catch(() => undefined);
  }
}
