import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';

/** A self-signed certificate of `localhost` for servers and clients; only for tests, valid from 2020 to 2120. */
export const CERTIFICATE_FILE = join(__dirname, 'tls/certificate.pem');
export const KEY_FILE = join(__dirname, 'tls/key.pem');

/** A gRPC server over TLS without methods, which records its callers. */
export interface TlsServer {
  /** `host:port`; the host is an IP address, which its certificate does not contain. */
  readonly address: string;
  readonly callers: { readonly certificate: string | undefined; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** gRPC's status code. */
const UNIMPLEMENTED = '12';

export async function openTlsServer(): Promise<TlsServer> {
  const callers: TlsServer['callers'] = [];
  const sessions = new Set<ServerHttp2Session>();
  const [cert, key] = [readFileSync(CERTIFICATE_FILE), readFileSync(KEY_FILE)];
  const server = createSecureServer({ cert, key, requestCert: true, rejectUnauthorized: false });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, { authorization }) => {
    const { subject } = (stream.session?.socket as TLSSocket).getPeerCertificate();
    const certificate = [(subject as typeof subject | undefined)?.CN].flat()[0];
    callers.push({ certificate, authorization });
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': UNIMPLEMENTED },
      { endStream: true },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    callers,
    async close() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
