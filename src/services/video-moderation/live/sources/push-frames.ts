/** Pictures as programs push them, whatever carries them: WebSocket messages or gRPC. */
import { badRequest, invalid } from '#base/errors.ts';
import type { pixelFormats } from '../../contract/names.ts';
import { H264Reader } from '../coding/h264.ts';
import type { Intake } from '../sessions/intake.ts';

export interface PushedFormat {
  readonly format: (typeof pixelFormats)[number];
  readonly width: number;
  readonly height: number;
}

export interface PushedFrame {
  readonly sequence: number;
  readonly timestampMs: number;
  /** Also found in H.264 itself. */
  readonly isKey: boolean;
  readonly data: Buffer;
}

const startOfJpeg = [0xff, 0xd8] as const;

/** Pictures of one sender, from its first message to its last. */
export class PushedFrames {
  readonly #intake: Intake;
  readonly #format: PushedFormat;
  readonly #h264 = new H264Reader();
  #sequence = 0;

  /** @throws AppError 422 for a picture that is too large */
  constructor(intake: Intake, format: PushedFormat, mostPixels: number) {
    this.#intake = intake;
    this.#format = format;
    const { width, height } = format;
    if (width * height > mostPixels)
      throw invalid(`A picture may have ${mostPixels} pixels; ${width} × ${height} is more.`);
    if (format.format !== 'h264') intake.configure({ codec: format.format, width, height });
  }

  /** What is told to the sender every second. */
  get state(): { seq: number; accepted: number; dropped: number } {
    return { seq: this.#sequence, accepted: this.#intake.accepted, dropped: this.#intake.dropped };
  }

  /** @throws AppError 400 for what is no picture of the format */
  push({ sequence, timestampMs, isKey, data }: PushedFrame): void {
    const arrivedMs = performance.now();
    this.#sequence = sequence;
    const { format, width, height } = this.#format;
    if (data.length === 0) throw badRequest('A frame is empty.');
    if (format === 'mjpeg' && (data[0] !== startOfJpeg[0] || data[1] !== startOfJpeg[1]))
      throw badRequest('A frame is no JPEG.');
    if (format !== 'h264') {
      this.#intake.push({ data, timestampMs, isKey: true, arrivedMs });
      return;
    }
    const unit = this.#h264.read(data);
    if (unit === undefined) {
      if (!data.includes('\0\0\x01', 0, 'latin1')) throw badRequest('A frame has no start code of H.264.');
      // Parameter sets alone, or what comes before them.
      return;
    }
    this.#intake.configure({ codec: 'h264', width, height, description: unit.description });
    this.#intake.push({ data: unit.data, timestampMs, isKey: unit.isKey || isKey, arrivedMs });
  }
}
