import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { realNow } from '../storm/meter';

/** An event as it arrived, in the order of arrival. */
export interface Arrived {
  readonly id: string;
  readonly subscriptionId: string | null;
  readonly sequence: number | null;
  /** Real time, epoch ms. */
  readonly at: number;
}

interface Body {
  readonly id: string;
  readonly sequence?: number;
  readonly data: { readonly subscriptionId: string | null };
}

/** A shop's endpoint: it accepts each event after a while, or refuses events while it is down. */
export class Listener {
  /** The accepted events, each as often as it was accepted. */
  readonly taken: Arrived[] = [];
  refused = 0;
  /** The number of posts whose signature or id does not match the event. */
  forged = 0;
  isDown = false;
  /** The endpoint as it was created in the admin API. */
  endpoint = { endpointId: '', secret: '' };

  private constructor(
    readonly name: string,
    private readonly slowness: number,
    private readonly server = createServer(),
  ) {}

  /** @param slowness real ms before each answer */
  static async open(name: string, slowness: number): Promise<Listener> {
    const listener = new Listener(name, slowness);
    listener.server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      // The process that posted was killed; the event is posted again.
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const taken = listener.take(request.headers, Buffer.concat(chunks).toString());
        void taken.then((status) => response.writeHead(status).end());
      });
    });
    listener.server.listen(0, '127.0.0.1');
    await once(listener.server, 'listening');
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** @returns the status of the answer */
  private async take(headers: IncomingHttpHeaders, text: string): Promise<number> {
    if (this.isDown) {
      this.refused += 1;
      return 503;
    }
    await pause(this.slowness);
    const body = this.read(headers, text);
    if (body === null) {
      this.forged += 1;
      return 400;
    }
    const { id, sequence = null, data } = body;
    this.taken.push({ id, sequence, subscriptionId: data.subscriptionId, at: realNow() });
    return 204;
  }

  /** The body; null if it is not signed with this endpoint's secret, or its id differs from that in the header. */
  private read(headers: IncomingHttpHeaders, text: string): Body | null {
    try {
      const body = new Webhook(this.endpoint.secret).verify(text, headers as Record<string, string>) as Body;
      return body.id === headers['webhook-id'] ? body : null;
    } catch {
      return null;
    }
  }
}
