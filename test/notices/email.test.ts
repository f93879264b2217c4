import { createServer, type Socket, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createLogged, failed, notice, payer, SECRET } from './notice-samples';
import { type MailServer, startMailServer } from './mail-server';
import { startWebhookReceiver } from './webhook-receiver';

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

const paymentFailed = notice('payment.failed', failed);

/** The text decoded from quoted-printable, so that words can be searched for. */
function readable(raw: string): string {
  return raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

it('a notice by e-mail is delivered once the server accepts it, to the payer alone', async () => {
  const server = await mailServer();
  const { notifier, logged } = createLogged({ smtp: { url: server.url, from: FROM } });
  expect(await notifier.deliver(paymentFailed)).toEqual({
    kind: 'delivered',
    channel: 'email',
    evidence: { smtpResponse: expect.stringMatching(/^250 /) },
    at: expect.any(Number),
    others: [],
  });
  const [mail] = server.mails;
  expect(mail).toMatchObject({ from: 'billing@merchant.example', to: ['ada@payer.example'] });
  const text = readable(mail!.raw);
  expect(text).toContain('Subject: Your payment of 19.99 EUR could not be collected');
  expect(text).toContain('Message-ID: <msg_0123456789abcdef@merchant.example>');
  expect(text).toContain('To: Ada Byron <ada@payer.example>');
  expect(text).toContain('Hello Ada Byron,');
  expect(text).toContain('which was due on 31 January 2027, 10:00 UTC.');
  expect(text).toContain('We plan to try again on 1 February 2027, 10:00 UTC.');
  expect(text).toContain('<p>Your reference: customer 7</p>');
  expect(text).not.toContain('contact the payer');
  expect(logged()).not.toContain('ada@payer.example');
});

it('a notice by e-mail says that no retry follows if none does', async () => {
  const server = await mailServer();
  const { notifier } = createLogged({ smtp: { url: server.url, from: FROM } });
  await notifier.deliver(notice('payment.failed', { ...failed, retryAt: null, retriesLeft: 0 }));
  expect(readable(server.mails[0]!.raw)).toContain('We will not try to collect this payment again.');
});

const increase = {
  cycle: 4,
  amount: { value: 2500, currency: 'EUR' },
  previousAmount: failed.amount,
  dueAt: failed.dueAt,
};
it.each<[string, Record<string, unknown>, string, string]>([
  ['payment.increase_announced', increase, 'Your payment changes to 25.00 EUR', '25.00 EUR instead of 19.99 EUR'],
  ['subscription.paused', { reason: null, until: null }, 'Your subscription is paused', 'until further notice'],
  ['subscription.paused', { until: failed.dueAt }, 'Your subscription is paused', 'until 31 January 2027, 10:00 UTC'],
  ['subscription.resumed', {}, 'Your subscription continues', 'usual dates again'],
  ['subscription.cancelled', { cancelledBy: 'payer' }, 'Your subscription is cancelled', 'withdrawn at your bank'],
  ['subscription.cancelled', { cancelledBy: 'merchant' }, 'Your subscription is cancelled', 'Nothing more will be'],
  ['subscription.completed', {}, 'Your subscription is complete', 'agreed end'],
])('a notice by e-mail of %s has a text of its own', async (type, data, subject, words) => {
  const server = await mailServer();
  const { notifier } = createLogged({ smtp: { url: server.url, from: FROM } });
  expect((await notifier.deliver(notice(type, data))).kind).toBe('delivered');
  const text = readable(server.mails[0]!.raw);
  expect(text).toContain(`Subject: ${subject}\r\n`);
  expect(text).toContain(words);
});

it('a notice by e-mail lets nothing from outside become a header, an address or markup', async () => {
  const server = await mailServer();
  const { notifier } = createLogged({ smtp: { url: server.url, from: FROM } });
  const name = 'Eve\r\nBcc: thief\r\n\r\n<script>alert("1")</script>\u202e';
  await notifier.deliver(notice('payment.failed', { ...failed, payer: { ...payer, name, reference: '<b>&\n.' } }));
  const { raw, to } = server.mails[0]!;
  expect(to).toEqual(['ada@payer.example']);
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
  expect(head).not.toMatch(/^bcc/im);
  expect(readable(raw)).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
  expect(readable(raw)).not.toContain('<p>Hello Eve\r\n');
  expect(raw.slice(raw.indexOf('text/html'))).not.toContain('<script>');
  expect(readable(raw)).toContain('<p>Your reference: &lt;b&gt;&amp; .</p>');
});

it.each([
  'https://evil.example/pay',
  'Ada www.evil.example',
  'Pay at evil.example/now',
  'EVIL.EXAMPLE',
  'hxxp://evil.example',
  'Ada evil-example.com',
  'thief@evil.example',
  'b\u00f6se.example',
])('a notice by e-mail omits a name or a reference that a mail program would turn into a link: %j', async (text) => {
  const server = await mailServer();
  const { notifier } = createLogged({ smtp: { url: server.url, from: FROM } });
  const given = { ...payer, name: text, reference: text };
  await notifier.deliver(notice('payment.failed', { ...failed, payer: given }));
  const { raw } = server.mails[0]!;
  const body = readable(raw.slice(raw.indexOf('\r\n\r\n')));
  expect(body).not.toMatch(/evil|b\u00f6se|:\/\/|www\./i);
  expect(body).toContain('Hello');
});

it.each(['J. R. Smith', "O'Neill", 'Dr. Ada Byron', 'St. John', 'Ada B.'])(
  'a notice by e-mail greets %j by name',
  async (name) => {
    const server = await mailServer();
    const { notifier } = createLogged({ smtp: { url: server.url, from: FROM } });
    await notifier.deliver(notice('payment.failed', { ...failed, payer: { ...payer, name } }));
    expect(readable(server.mails[0]!.raw)).toContain(`Hello ${name}`);
  },
);

it.each([
  null,
  undefined,
  '',
  'nobody',
  'a@b.example, c@d.example',
  'a@b.example\r\nBcc: c@d.example',
  'Ada <a@b.example>',
  'a@b@c.example',
])('a notice by e-mail is not sent if the address is %j', async (email) => {
  const server = await mailServer();
  const { notifier } = createLogged({ smtp: { url: server.url, from: FROM } });
  const result = await notifier.deliver(notice('payment.failed', { ...failed, payer: { name: 'Ada', email } }));
  expect(result).toEqual({ kind: 'no_channel', reason: 'the payer has no e-mail address' });
  expect(server.mails).toHaveLength(0);
});

it('an e-mail whose recipient the server refuses is to be tried again, and the reason does not quote the server', async () => {
  const server = await mailServer({
    onRcptTo: (address, _session, done) =>
      done(Object.assign(new Error(`no mailbox ${address.address}`), { responseCode: 550 })),
  });
  const { notifier, logged } = createLogged({ smtp: { url: server.url, from: FROM } });
  const result = await notifier.deliver(paymentFailed);
  expect(result).toMatchObject({ kind: 'failed', reason: 'e-mail not accepted: EENVELOPE 550' });
  expect(logged() + JSON.stringify(result)).not.toContain('ada@payer.example');
});

it('an e-mail whose content the server refuses is to be tried again', async () => {
  const server = await mailServer({
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => done(Object.assign(new Error('full'), { responseCode: 452 })));
    },
  });
  const { notifier } = createLogged({ smtp: { url: server.url, from: FROM } });
  expect(await notifier.deliver(paymentFailed)).toMatchObject({
    kind: 'failed',
    reason: 'e-mail not accepted: EMESSAGE 452',
  });
});

it('a notice by e-mail masks an address that the server repeats when it accepts', async () => {
  const server = await mailServer({
    onData: (stream, _session, done) => {
      stream.resume();
      stream.on('end', () => (done as (error: null, message: string) => void)(null, 'queued for ADA@payer.example'));
    },
  });
  const { notifier } = createLogged({ smtp: { url: server.url, from: FROM } });
  const result = await notifier.deliver(paymentFailed);
  expect(result).toMatchObject({ kind: 'delivered', evidence: { smtpResponse: '250 queued for [masked]' } });
});

it('mail servers that are absent, never greet, never answer or answer byte by byte are given up within the time limit', async () => {
  const sockets: Socket[] = [];
  const listen = async (onSocket: (socket: Socket) => void): Promise<{ port: number; close: () => void }> => {
    const server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      onSocket(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, close: () => server.close() };
  };
  const silent = await listen(() => undefined);
  const mute = await listen((socket) => socket.write('220 here I am\r\n'));
  const dripping = await listen((socket) => {
    const drip = setInterval(() => socket.write('2'), 50);
    socket.on('close', () => clearInterval(drip));
  });
  for (const port of [1, silent.port, mute.port, dripping.port]) {
    const { notifier } = createLogged({ smtp: { url: `smtp://127.0.0.1:${port}`, from: FROM }, timeoutMs: 500 });
    const started = performance.now();
    expect(await notifier.deliver(paymentFailed)).toMatchObject({ kind: 'failed' });
    expect(performance.now() - started).toBeLessThan(15_000);
  }
  for (const socket of sockets) socket.destroy();
  for (const server of [silent, mute, dripping]) server.close();
});

const settings = async (status: number, mail: MailServer) => {
  const receiver = await startWebhookReceiver();
  receiver.answer((response) => void response.writeHead(status).end());
  const { notifier } = createLogged({
    payerWebhook: { url: receiver.url, secret: SECRET },
    smtp: { url: mail.url, from: FROM },
  });
  const close = async (): Promise<void> => {
    await notifier.close();
    await receiver.close();
  };
  return { receiver, notifier, close };
};
const refusing = {
  onRcptTo: (_address: unknown, _session: unknown, done: (error: Error) => void) => done(new Error('no')),
};

it('with webhook and e-mail, both are tried and both results are reported', async () => {
  const mail = await mailServer();
  const { notifier, receiver, close } = await settings(200, mail);
  const result = await notifier.deliver(paymentFailed);
  expect(result).toMatchObject({
    kind: 'delivered',
    channel: 'webhook',
    others: [{ kind: 'delivered', channel: 'email' }],
  });
  expect([receiver.received.length, mail.mails.length]).toEqual([1, 1]);
  await close();
});

it('with webhook and e-mail, a notice delivered by e-mail alone counts as delivered, and the failure of the webhook is reported', async () => {
  const { notifier, close } = await settings(410, await mailServer());
  const result = await notifier.deliver(paymentFailed);
  expect(result).toMatchObject({
    kind: 'delivered',
    channel: 'email',
    others: [{ kind: 'gone', channel: 'webhook' }],
  });
  await close();
});

it('with webhook and e-mail, a notice delivered by webhook alone counts as delivered', async () => {
  const { notifier, close } = await settings(200, await mailServer(refusing));
  const result = await notifier.deliver(paymentFailed);
  expect(result).toMatchObject({
    kind: 'delivered',
    channel: 'webhook',
    others: [{ kind: 'failed', channel: 'email' }],
  });
  await close();
});

it('with webhook and e-mail, a channel that refuses further notices is not used again', async () => {
  const mail = await mailServer();
  const { notifier, receiver, close } = await settings(410, mail);
  const result = await notifier.deliver(paymentFailed, ['webhook']);
  expect(result).toMatchObject({ kind: 'delivered', channel: 'email', others: [] });
  expect([receiver.received.length, mail.mails.length]).toEqual([0, 1]);
  await close();
});

it('with webhook and e-mail both refusing further notices, the notice has no channel left', async () => {
  const { notifier, close } = await settings(200, await mailServer());
  expect(await notifier.deliver(paymentFailed, ['webhook', 'email'])).toEqual({
    kind: 'gone',
    reason: 'no channel to the payer is left: webhook and email gone',
  });
  await close();
});

it('with webhook and e-mail both failing, the notice is to be tried again, even if the webhook refuses further notices', async () => {
  for (const status of [500, 410]) {
    const { notifier, close } = await settings(status, await mailServer(refusing));
    const result = await notifier.deliver(paymentFailed);
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining(`answered ${status}`) });
    await close();
  }
});
