import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createLogged, failed, notice } from './notice-samples';
import { type MailServer, startMailServer } from './mail-server';

const FROM = 'Billing <billing@merchant.example>';
const servers: MailServer[] = [];

async function mailServer(...behaviour: Parameters<typeof startMailServer>): Promise<MailServer> {
  const server = await startMailServer(...behaviour);
  servers.push(server);
  return server;
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function send(server: MailServer, email: string) {
  const { notifier, logged } = createLogged({ smtp: { url: server.url, from: FROM } });
  const result = await notifier.deliver(notice('payment.failed', { ...failed, payer: { name: 'Ada', email } }));
  return { result, logged: logged() };
}

/** Whether each MAIL FROM asked for SMTPUTF8. */
function recording() {
  const asked: boolean[] = [];
  const onMailFrom = (_address: unknown, session: object, done: (error?: Error) => void) => {
    const { envelope } = session as { envelope: { smtpUtf8?: boolean } };
    asked.push(envelope.smtpUtf8 === true);
    done();
  };
  return { asked, onMailFrom };
}

const WITHOUT_SMTPUTF8 = { hideSMTPUTF8: true } as object;

test.each([{}, WITHOUT_SMTPUTF8])(
  'an e-mail to an internationalised domain is sent to its ASCII form by any server (%j)',
  async (options) => {
    const { asked, onMailFrom } = recording();
    const server = await mailServer({ ...options, onMailFrom });
    const { result } = await send(server, 'ada@bücher.example');
    expect(result.kind).toBe('delivered');
    // The server shows the domain in its own script again, so only the header shows what was sent.
    expect(server.mails[0]?.raw).toContain('<ada@xn--bcher-kva.example>');
    expect(asked).toEqual([false]);
  },
);

test('an e-mail to a local part beyond ASCII is sent by SMTPUTF8 if the server offers it', async () => {
  const { asked, onMailFrom } = recording();
  const server = await mailServer({ onMailFrom });
  const { result } = await send(server, 'jürgen@post.example');
  expect(result.kind).toBe('delivered');
  expect(server.mails.map(({ to }) => to)).toEqual([['jürgen@post.example']]);
  expect(asked).toEqual([true]);
});

test('an e-mail to a local part beyond ASCII is not sent by a server without SMTPUTF8, and the delivery says why', async () => {
  const server = await mailServer(WITHOUT_SMTPUTF8);
  const { result, logged } = await send(server, 'jürgen@post.example');
  expect(result).toMatchObject({
    kind: 'failed',
    reason:
      'e-mail not sent: the address has letters beyond ASCII before the @, and the mail server does not offer SMTPUTF8',
  });
  expect(server.mails).toHaveLength(0);
  expect(logged + JSON.stringify(result)).not.toContain('jürgen');
});

test('an e-mail to a local part beyond ASCII has one time limit in all, however slowly the server answers', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('close', () => sockets.delete(socket));
    socket.write('220 slow\r\n');
    const drip = setInterval(() => socket.write('250-x\r\n'), 100);
    socket.on('close', () => clearInterval(drip));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { notifier } = createLogged({ smtp: { url, from: FROM }, timeoutMs: 1_000 });
  const payer = { name: 'Ada', email: 'jürgen@post.example' };
  const result = await notifier.deliver(notice('payment.failed', { ...failed, payer }));
  expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('e-mail not accepted') });
  while (sockets.size > 0) await setTimeout(10);
  server.close();
});

test('an address whose domain the server repeats in ASCII is masked in the delivery', async () => {
  const server = await mailServer({
    onData: (stream, _session, done) => {
      stream.resume();
      const answer = done as (error: null, message: string) => void;
      stream.on('end', () => answer(null, 'queued for ada@xn--bcher-kva.example'));
    },
  });
  const { result } = await send(server, 'ada@bücher.example');
  expect(result).toMatchObject({ evidence: { smtpResponse: '250 queued for [masked]' } });
});
