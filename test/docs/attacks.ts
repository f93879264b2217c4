/** Attacks by chapter of OWASP's verification standard; docs/explain/attacks.md is generated from this list. */
export interface Attack {
  /** The chapter. */
  readonly chapter: string;
  /** What the attacker tries. */
  readonly tries: string;
  /** The tests that try it, each with its file, without `.test.ts`, and part of its title; or why there are none. */
  readonly shownBy: readonly `${string}: ${string}`[] | { readonly reason: string };
}

const of = (chapter: string, attacks: readonly (readonly [string, Attack['shownBy']])[]): readonly Attack[] =>
  attacks.map(([tries, shownBy]) => ({ chapter, tries, shownBy }));

const because = (reason: string) => ({ reason });

export const ATTACKS: readonly Attack[] = [
  ...of('V1 Encoding and sanitization', [
    [
      'SQL and HTML in every field of a new subscription',
      ['faults/hostile-callers: in %s are refused and not echoed, or are stored as plain text'],
    ],
    ['operators of a text search, quotes and wildcards in `q`', ['ledger/search: any text can be searched for']],
    ['a forged cursor with SQL in it, for every list', ['admin/attacks: a forged cursor is refused']],
    [
      'a formula in a CSV cell, also after `;`, a tab or a quote, and in full-width characters',
      ['domain/csv: no part of a text starts a formula', 'admin/failing-payers: with formulas neutralized'],
    ],
    [
      'line feeds, `Bcc:` and markup in a payer’s name and e-mail address',
      ['notices/email: lets nothing from outside become a header'],
    ],
    [
      'a website address as a payer’s name, which a mail program turns into a link',
      ['notices/email: turn into a link'],
    ],
    [
      '`{{…}}` in a payer’s name, which the template of an e-mail might expand',
      ['notices/templates: does not expand markup in the payer’s name'],
    ],
    [
      'regular-expression syntax in a payer’s name, from which an erasure builds a pattern',
      ['ledger/payer-names: signs of a regular expression in a term'],
    ],
    ['a forged line in the log', ['processes/canary: appear nowhere that others can read']],
    [
      '`javascript:`, `data:` or another host behind a backslash as `returnURL`',
      ['admin/attacks: the return address %j'],
    ],
    [
      'a `redirectURL` from the payment service that is not a web address',
      ['payment-service/answers: leaves out a redirectURL that is not a web address'],
    ],
    [
      'ids from the payment service that would change the path of a call',
      ['payment-service/wire: percent-encodes ids'],
    ],
  ]),
  ...of('V2 Validation and business logic', [
    [
      'NUL, lone surrogates and overlong text in every text field of the OpenAPI description',
      ['admin/broken-texts: naming the field'],
    ],
    ['amounts as fractions, rounded, negative zero, text or infinity', ['admin/attacks: an amount that is %s']],
    [
      'a field given twice in a body, so that the check and the code read different values',
      ['admin/bodies: a duplicate field'],
    ],
    ['`__proto__` and `constructor` in queries', ['admin/attacks: the query %s does not change a prototype']],
    ['`__proto__` in bodies', ['faults/hostile-callers: no body changes a prototype']],
    ['the same refund or capture many times at once', ['admin/keys: accepts only as many of ten concurrent refunds']],
    ['a creation ten times at once', ['admin/idempotency: sent ten times at once creates one subscription']],
    [
      'a second debit for a due date, written directly in PostgreSQL',
      ['ledger/sends: the database allows no second attempt in a cycle'],
    ],
    ['a key’s limits evaded by many small changes in bulk', ['admin/keys: singly or in bulk']],
    ['a job started with the token of another key’s dry run', ['admin/bulk: the token of another key']],
  ]),
  ...of('V3 Web frontend', [
    ['markup in every text that the console shows', ['console/console: shows hostile text as plain text']],
    [
      'a write from another page, or without the CSRF token',
      ['admin/session: that another page sends does not end the session'],
    ],
    [
      'the console in a frame, or with scripts from other hosts',
      ['admin/service: every response forbids content sniffing and framing'],
    ],
    ['an inline script in the built page', ['console/build: no inline script or style']],
    [
      'files outside the documentation, by `..` and its encodings',
      ['admin/documentation: %s is not a page of the site'],
    ],
    [
      'a payer page or console under another host name, by `Host` and `X-Forwarded-Host`',
      ['admin/attacks: no response contains the value of the request’s Host header'],
    ],
    ['secrets in the browser’s storage', ['docs/security: the console stores only its theme']],
  ]),
  ...of('V4 API and web service', [
    ['other spellings of a path, which a proxy permits and the API resolves', ['admin/attacks: shows keys neither']],
    ['`X-HTTP-Method-Override` and its like', ['admin/attacks: the header %s does not change the method']],
    ['`X-Original-URL` and its like', ['admin/attacks: the header %s does not lead to another path']],
    ['HEAD in place of GET, without a key', ['admin/attacks: a HEAD request needs the same key']],
    ['`Content-Length` beside `Transfer-Encoding`', ['admin/slow-requests: both Content-Length and Transfer-Encoding']],
    ['TRACE, to see what a proxy has added', ['admin/slow-requests: TRACE, which would show']],
    ['a body of another type, or compressed', ['admin/bodies: that is compressed is rejected with 415']],
    [
      '`X-Forwarded-For` from a caller, to evade limits and appear as someone else in the audit log',
      ['admin/keys-and-roles: untrusted'],
    ],
  ]),
  ...of('V5 Files', [
    ['an import with a line that never ends', ['admin/import: that is one byte too long is rejected']],
    ['an import whose file is replaced after its approval', ['admin/approved-imports: does not match the approval']],
    [
      'the same range of an export many times in one request',
      ['admin/attacks: the header Range: %.40s is ignored for an export'],
    ],
    ['a file with a path in its name', because('no call takes a file or its name: an import is a body of lines')],
  ]),
  ...of('V6 Authentication', [
    ['ten thousand keys', ['faults/hostile-callers: ten thousand guessed keys are refused']],
    ['wrong keys from behind the proxy of valid callers, to lock them out', ['admin/keys-and-roles: never is']],
    ['a key in other forms of the `Authorization` header', ['admin/keys-and-roles: is not a key']],
    [
      'a key guessed character by character from response times',
      because('keys are looked up by their SHA-256, and the bootstrap key is compared in constant time'),
    ],
    ['the bootstrap key after the first admin key', ['admin/bootstrap-key: end a day after the first admin key']],
    ['the credentials that this project publishes', ['config/production-profile: a published secret is refused']],
    ['the keys of a stolen database', ['admin/keys-and-roles: the ledger contains no key in plain text']],
  ]),
  ...of('V7 Sessions', [
    ['a session after its key was revoked', ['admin/session: a session ends with its key']],
    ['a session kept alive forever', ['admin/session: at its absolute end']],
    ['a session token as a key', ['admin/session: the token of a session is not a key']],
    ['a session that opens the next one', ['admin/session: a session cannot open another session']],
    ['a stream that outlives its key', ['admin/stream: even for a client that has stopped reading']],
  ]),
  ...of('V8 Authorization', [
    ['every call by every role and scope', ['admin/route-table: may make the calls that the route table names']],
    ['a new key with more powers than the one that creates it', ['admin/keys: cannot create or rotate keys']],
    [
      'approving one’s own request with a key that one has created, also through other keys',
      ['admin/approvals: the holder of a key that indirectly created the requesting key cannot approve'],
    ],
    ['an approval used for another request', ['admin/approvals: does not permit another path']],
    ['an approval used twice at once', ['admin/approvals: permits one request, however many']],
    ['a holder whose name looks like another’s', ['admin/approvals: a holder must be printable ASCII']],
    [
      'e-mail addresses discovered by searching for their beginnings',
      ['admin/masked-emails: a search of %s by e-mail'],
    ],
    ['jobs of another scope', ['admin/keys: can neither see nor stop jobs of another scope']],
    [
      'the response to another key’s request, by its `Idempotency-Key`',
      ['admin/idempotency: of another API key is a different key'],
    ],
    ['a list of another key continued by its cursor', ['admin/lists: only by the key that started it']],
  ]),
  ...of('V9 Self-contained tokens', [
    ['a forged token', because('no token carries data: keys and sessions are looked up in the ledger')],
  ]),
  ...of('V10 OAuth and OIDC', [
    [
      'credentials that the payment service repeats in an error',
      ['payment-service/token: reveals the client secret neither in results nor in logs'],
    ],
    ['a redirect that takes the token to another host', ['payment-service/transport: the token goes nowhere']],
  ]),
  ...of('V11 Cryptography', [
    ['a payload copied from one workflow into another', ['faults/copied-payloads: is refused for any other purpose']],
    [
      'a payload in plain text while keys are configured',
      ['payload-encryption: a payload that is not encrypted is refused'],
    ],
    ['a sealed payload passed to another activity', ['payload-encryption: a payload is refused when it is read for']],
    ['secrets of endpoints read from the database', ['admin/webhook-endpoints: show their secret once']],
  ]),
  ...of('V12 Secure communication', [
    [
      'PostgreSQL, Temporal or the service without a verified certificate',
      ['config/production-profile: disables certificate verification'],
    ],
    ['a server with a certificate for another name', ['ledger/tls: whose name is not that of its certificate']],
    ['`Strict-Transport-Security` stripped', because('the proxy that terminates TLS sends it: duty 1 of an operator')],
  ]),
  ...of('V13 Configuration', [
    ['an endpoint at loopback, private, mapped or special-purpose addresses', ['events/address: is refused']],
    [
      'a host name that resolves to an internal address once it is connected to',
      ['events/sender: an address that no endpoint may have'],
    ],
    ['an endpoint that redirects to an internal address', ['events/sender: follows no redirect']],
    ['a listener on all interfaces, in any spelling', ['config/production-profile: no process listens on %j']],
    ['every network as a trusted proxy', ['config/production-profile: trusts any caller']],
    ['the codec server from a page of another origin', ['codec-server: the codec server tells a browser whether']],
    ['the cloud’s metadata service, from a pod', ['deploy/kubernetes: network policies deny all traffic']],
  ]),
  ...of('V14 Data protection', [
    [
      'a payer’s data after an erasure, however the name is spelled',
      ['admin/erased-spellings: however the name is spelled'],
    ],
    ['payers and secrets in Temporal, logs, metrics, traces and refusals', ['processes/canary: appear nowhere']],
    ['responses stored by a cache', ['admin/slow-requests: no response of the API may be cached']],
    ['an export without a trace', ['admin/security-events: before its first row']],
    ['a copy of the database, started elsewhere', ['faults/copied: nothing is sent from a copy of the database']],
    [
      'secrets inferred from the length of compressed responses',
      because(
        'no response has a secret next to text from another party: keys and sessions are returned only to the caller',
      ),
    ],
  ]),
  ...of('V15 Secure coding and architecture', [
    [
      'one caller’s many requests, to delay all others',
      ['admin/fair-queue: a caller waits for only one request of each other caller'],
    ],
    ['headers and bodies sent a byte at a time', ['admin/slow-requests: whose headers do not arrive in time']],
    ['2,000 connections that say nothing', ['admin/slow-requests: connections beyond the limit']],
    [
      '60 concurrent searches that find no end',
      ['faults/readers: sixty searches that never end delay neither collections'],
    ],
    ['activity inputs sent directly to Temporal’s port', ['faults/second-door: bypassing the API, change nothing']],
    [
      'a response of 100 MB from the payment service, or a compressed one',
      ['faults/oversized: a gzip bomb is never unpacked'],
    ],
    [
      'a package from elsewhere, or a different one of the same name',
      ['supply-chain/supply-chain: every package comes from the registry and has a checksum'],
    ],
    ['a shell in the container', ['supply-chain/image: no shell, no package manager']],
  ]),
  ...of('V16 Logging and errors', [
    ['stack traces, table names and paths in errors', ['admin/create-subscription: reveals only the request id']],
    ['the audit log changed by the program’s own role', ['ledger/grants: the program may change only these columns']],
    ['the audit log changed by the database’s owner, who recomputes the chain', ['ledger/audit-chain: chained again']],
    [
      'a flood of refusals that fills the audit log',
      ['admin/security-events: is counted for a hundred addresses separately'],
    ],
    ['a task token from the log, to complete an activity', ['log-redaction: task token']],
  ]),
  ...of('V17 WebRTC', [['anything', because('there is no WebRTC')]]),
];
