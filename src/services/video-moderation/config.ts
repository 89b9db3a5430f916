import { integer, list, optionalText, optionalUrl, secret, text } from '#base/config/setting.ts';

const megabyte = 1024 * 1024;

/** The slice of video moderation of the configuration. */
export const videoModerationSections = {
  videoModeration: {
    ffmpegPath: text('ffmpeg', 'The program ffmpeg: a name that is found in PATH, or its absolute path.'),
    ffprobePath: text('ffprobe', 'The program ffprobe of the same installation.'),
    urlBytes: integer(
      500 * megabyte,
      { min: 1024, max: 1024 ** 4 },
      'Largest video that is fetched from an address, in bytes.',
    ),
    base64Bytes: integer(
      25 * megabyte,
      { min: 1024, max: 1024 ** 3 },
      'Largest video in base64, in bytes when decoded; `limits.body_bytes` does not hold for it.',
    ),
    longestSeconds: integer(1800, { min: 1, max: 86_400 }, 'Longest video of one request, in seconds.'),
    mostPixels: integer(
      3840 * 2160,
      { min: 16_384, max: 1_000_000_000 },
      'Most pixels of one picture of a video.',
    ),
    deadlineSeconds: integer(120, { min: 1, max: 86_400 }, 'Time for one video, fetching included.'),
    checksAtOnce: integer(2, { min: 1, max: 256 }, 'Videos that are judged at a time in this process.'),
    checksWaiting: integer(16, { min: 0, max: 10_000 }, 'Videos that may wait; more: 429.'),
    decoderMemoryBytes: integer(
      1024 * megabyte,
      { min: 64 * megabyte, max: 1024 ** 4 },
      'Memory of one decoder process, in bytes.',
    ),
    decoderThreads: integer(1, { min: 1, max: 64 }, 'Threads of one decoder process.'),
    modelProcesses: integer(1, { min: 1, max: 64 }, 'Processes in which image models run.'),
    streamsPerKey: integer(4, { min: 1, max: 100_000 }, 'Live sessions of one API key or user.'),
    streamsPerCore: integer(
      8,
      { min: 1, max: 10_000 },
      'Live sessions of this process for each processor core.',
    ),
    sessionSeconds: integer(43_200, { min: 10, max: 31_536_000 }, 'Longest live session, in seconds.'),
    idleSeconds: integer(30, { min: 1, max: 3600 }, 'A live session without frames for so long is ended.'),
    frameBytes: integer(
      16 * megabyte,
      { min: 1024, max: 60 * megabyte },
      'Largest picture that is pushed to a live session, in bytes.',
    ),
    publicUrl: optionalUrl(
      ['https', 'http'],
      'URL at which clients reach this service, for the addresses in answers; default: where it listens.',
    ),
    rtmpPort: integer(
      1935,
      { min: 0, max: 65_535 },
      'Port for RTMP that is published to us; it is opened for the first session that needs it.',
    ),
    rtmpsPort: integer(1936, { min: 0, max: 65_535 }, 'The same for RTMPS.'),
    rtmpsCertFile: optionalText('Certificate for RTMPS (PEM); without it, none is taken.'),
    rtmpsKeyFile: optionalText('Its private key (PEM).'),
    webrtcPorts: list([], 'First and last UDP port for WebRTC; default: any.'),
    modelsFolder: optionalText(
      'Folder with a folder for each image model of your own: model.onnx and labels.json.',
    ),
    visionUrl: optionalUrl(
      ['https', 'http'],
      'URL of a server with chat completions whose model sees pictures; default: `llm.base_url`.',
    ),
    visionModel: optionalText('Name of the vision model; if unset, no pictures are sent to any model.'),
    visionKey: secret(1, 'API key for that server; default: `llm.api_key` where `vision_url` is unset.'),
    visionTimeoutMs: integer(
      20_000,
      { min: 100, max: 600_000 },
      'Timeout of one request to it, in milliseconds.',
    ),
    policyGuardUrl: optionalUrl(
      ['https', 'http'],
      'URL of the policy guard that judges words in videos; default: this machine.',
    ),
    ocrLanguages: list(
      ['eng'],
      'Languages that text in pictures is read in; others than eng need the npm package @tesseract.js-data/<language>.',
    ),
  },
} as const;
