/** Video messages of RTMP (the tags of FLV) as coded pictures. */
import { AppError } from '#base/errors.ts';
import type { Intake } from '../../sessions/intake.ts';

const h264 = 7;
const keyFrame = 1;
const packetTypes = { configuration: 0, picture: 1 } as const;
/** Enhanced RTMP: a name of four letters in place of a number. */
const enhanced = 0x80;
/** Only a hint: the stream itself says. */
const presetSize = { width: 1280, height: 720 } as const;

/** @throws AppError 422 for a codec that is not H.264 */
export function takeVideo(intake: Intake, data: Buffer, timestampMs: number): void {
  const arrivedMs = performance.now();
  const first = data[0];
  if (first === undefined || data.length < 5) return;
  if (first & enhanced || (first & 15) !== h264)
    throw new AppError(
      422,
      'decode_failed',
      'Only H.264 is taken over RTMP. Choose it as the video codec of the sender.',
    );
  const content = data.subarray(5);
  if (data[1] === packetTypes.configuration)
    intake.configure({ codec: 'h264', ...presetSize, description: Buffer.from(content) });
  else if (data[1] === packetTypes.picture && content.length > 0)
    intake.push({
      data: Buffer.from(content),
      // Pictures come in the order of decoding; the offset leads to when they are shown.
      timestampMs: timestampMs + data.readIntBE(2, 3),
      isKey: first >> 4 === keyFrame,
      arrivedMs,
    });
}
