/** A page that publishes a moving picture by WebRTC (WHIP), as a browser of a user does. */
import type { Page } from 'playwright-core';

/** Runs in the page: publishes a moving picture; answers the status, or the codecs that the browser can send. */
const script = `async ({ url, token, mimeType }) => {
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 360;
  const draw = canvas.getContext('2d');
  let at = 0;
  const paint = () => {
    at += 4;
    draw.fillStyle = 'navy';
    draw.fillRect(0, 0, 640, 360);
    draw.fillStyle = 'orange';
    draw.fillRect(at % 600, 100, 80, 80);
  };
  setInterval(paint, 33);
  paint();
  const connection = new RTCPeerConnection();
  const [track] = canvas.captureStream(30).getVideoTracks();
  const transceiver = connection.addTransceiver(track, { direction: 'sendonly' });
  const codecs = RTCRtpSender.getCapabilities('video').codecs;
  const chosen = codecs.filter((codec) => codec.mimeType.toLowerCase() === mimeType.toLowerCase());
  if (chosen.length === 0) return { missing: codecs.map((codec) => codec.mimeType) };
  transceiver.setCodecPreferences(chosen);
  await connection.setLocalDescription();
  await new Promise((resolve) => {
    const look = () => connection.iceGatheringState === 'complete' && resolve();
    connection.onicegatheringstatechange = look;
    look();
  });
  const headers = { 'content-type': 'application/sdp', authorization: 'Bearer ' + token };
  const answer = await fetch(url, { method: 'POST', headers, body: connection.localDescription.sdp });
  const sdp = await answer.text();
  if (answer.ok) await connection.setRemoteDescription({ type: 'answer', sdp });
  window.connection = connection;
  return { status: answer.status, sdp };
}`;

export interface Published {
  readonly status?: number;
  /** What this browser can send, where it cannot send what was asked for. */
  readonly missing?: readonly string[];
}

/** @param url of WHIP, at the origin of the page */
export const publish = (page: Page, url: string, token: string, mimeType: string): Promise<Published> =>
  page.evaluate(`(${script})(${JSON.stringify({ url, token, mimeType })})`);
