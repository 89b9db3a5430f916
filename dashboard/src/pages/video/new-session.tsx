import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { video, type CreatedSession } from '../../api/video.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { Failure } from '../../parts/states.tsx';

const transports = [
  { value: 'hls', label: 'HLS (address of a playlist)' },
  { value: 'dash', label: 'DASH (address of a manifest)' },
  { value: 'rtmp', label: 'RTMP (address, or published to us)' },
  { value: 'webrtc', label: 'WebRTC (published by WHIP)' },
  { value: 'websocket', label: 'WebSocket (frames pushed by a program)' },
  { value: 'grpc', label: 'gRPC (frames pushed by a program)' },
] as const;
type Transport = (typeof transports)[number]['value'];

const needsAddress = (transport: Transport) => transport === 'hls' || transport === 'dash';
const takesAddress = (transport: Transport) => needsAddress(transport) || transport === 'rtmp';

/** Starts a session, and shows where to push to. */
export function NewSession({ onCreated }: { onCreated: (streamId: string) => void }) {
  const [transport, setTransport] = useState<Transport>('hls');
  const [address, setAddress] = useState('');
  const source = takesAddress(transport) ? address.trim() : '';
  const create = useMutation({
    mutationFn: () =>
      video.createStream({ body: { transport, ...(source !== '' && { source_url: source }) } }),
    onSuccess: ({ stream_id: streamId }) => onCreated(streamId),
  });
  return (
    <Panel title="New session">
      <form
        className="grid items-end gap-4 sm:grid-cols-[16rem_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <SelectField label="Transport" value={transport} options={transports} onChoice={setTransport} />
        {takesAddress(transport) ? (
          <TextField
            label={
              needsAddress(transport) ? 'Address of the stream' : 'Address of the stream, if we shall play it'
            }
            value={address}
            placeholder={transport === 'rtmp' ? 'rtmp://…' : 'https://…'}
            onChange={({ target }) => setAddress(target.value)}
          />
        ) : (
          <span />
        )}
        <Button
          type="submit"
          kind="primary"
          disabled={needsAddress(transport) && source === ''}
          busy={create.isPending}
        >
          Start
        </Button>
      </form>
      {create.isError && <Failure error={create.error} />}
      {create.data?.ingest_url !== undefined && <Addresses created={create.data} />}
    </Panel>
  );
}

function Addresses({ created }: { created: CreatedSession }) {
  const { ingest_url: url = '', ingest_token: token = '' } = created;
  return (
    <div className="mt-4">
      <Facts
        facts={[
          [
            'Push to',
            <span key="url" className="flex flex-wrap items-center gap-2 break-all">
              {url} <CopyButton text={url} />
            </span>,
          ],
          [
            'Token',
            <span key="token" className="flex flex-wrap items-center gap-2 break-all">
              {token} <CopyButton text={token} />
            </span>,
          ],
        ]}
      />
      <p className="mt-2 text-[13px] text-ink-soft">
        The token is shown now only. RTMP and WebSocket take it as ?token=… after the address, WHIP as a
        bearer token. Frames must come within half a minute.
      </p>
    </div>
  );
}
