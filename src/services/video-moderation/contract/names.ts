/** The words of this service on the wire. */

/** Categories that ship with us, in the order in which they are shown. */
export const categories = [
  'Hate_Humiliation_Harassment',
  'Violence_Harm_Cruelty',
  'Sexual',
  'Criminal_Planning',
  'Weapons_Substance_Abuse',
  'Self_Harm',
  'Animal_Cruelty',
  'Disasters_Emergencies',
  'Political',
  'Deepfake_Manipulation',
  'Scene_Action_Risk',
] as const;
export type Category = (typeof categories)[number];

/** How a category is looked for, strongest first. */
export const coverageLevels = ['model', 'heuristic', 'text', 'none'] as const;
export type CoverageLevel = (typeof coverageLevels)[number];

export const detectorNames = [
  'nsfw',
  'flash',
  'heuristics',
  'text',
  'subtitles',
  'metadata',
  'vision',
  'onnx',
  'http',
] as const;
export type DetectorName = (typeof detectorNames)[number];

export const transports = ['hls', 'dash', 'rtmp', 'rtmps', 'webrtc', 'websocket', 'grpc'] as const;
export type Transport = (typeof transports)[number];

export const pixelFormats = ['h264', 'mjpeg', 'rgb24', 'rgba', 'yuv420p'] as const;
