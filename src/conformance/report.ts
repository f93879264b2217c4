import type { Exchange } from './exchange';
import type { Finding } from './suite';

/** Headers that carry secrets. */
const SECRET_HEADERS = new Set(['authorization', 'x-api-key', 'set-cookie', 'cookie']);
const SECRET_FIELDS = /("(?:access_token|refresh_token|client_secret)"\s*:\s*")[^"]*/g;
const SHOWN_HEADERS = new Set(['content-type', 'date', 'location', 'retry-after', 'www-authenticate']);

/** Request and answer with all secrets masked; of the answer's headers, only those that help to judge it. */
export function masked({ request, answer }: Exchange) {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    SECRET_HEADERS.has(name.toLowerCase()) ? value.replace(/\S+$/, '[masked]') : value,
  ]);
  const answered = Object.entries(answer.headers).flatMap(([name, value]) =>
    SHOWN_HEADERS.has(name) && value !== undefined ? [[name, String(value)]] : [],
  );
  return {
    request: {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(headers) as Record<string, string>,
      ...(request.body === undefined ? {} : { body: request.body }),
    },
    answer: {
      status: answer.status,
      headers: Object.fromEntries(answered) as Record<string, string>,
      body: answer.text.replace(SECRET_FIELDS, '$1[masked]'),
    },
  };
}

/** One finding as readable lines: the verdict, the row with its quotation, why, and the exchange. */
export function inLines(finding: Finding): readonly string[] {
  const { row, verdict, remarks } = finding;
  const source = row.kind === 'reference' ? row.section : `${row.section}, not stated there; assumed by dueday`;
  const lines = [`${verdict.padEnd(15)}  ${row.id}`, `                 ${source}: "${row.quote}"`];
  if (verdict !== 'holds') lines.push(`                 ${finding.why}`);
  for (const remark of remarks) lines.push(`                 (${remark})`);
  if (verdict === 'differs') lines.push(...exchangeLines(masked(finding.exchange)));
  return lines;
}

function exchangeLines({ request, answer }: ReturnType<typeof masked>): string[] {
  const headersOf = (headers: Readonly<Record<string, string>>): string[] =>
    Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `> ${request.method} ${request.url}`,
    ...headersOf(request.headers).map((line) => `> ${line}`),
    ...(request.body === undefined ? [] : [`> ${request.body}`]),
    `< ${answer.status}`,
    ...headersOf(answer.headers).map((line) => `< ${line}`),
    `< ${answer.body}`,
  ].map((line) => `                 ${line}`);
}

/** `4 rows: 3 hold, 1 differ, 0 cannot be tried`. */
export function inNumbers(findings: readonly Finding[]): string {
  const count = (verdict: Finding['verdict']): number => findings.filter((one) => one.verdict === verdict).length;
  return `${findings.length} rows: ${count('holds')} hold, ${count('differs')} differ, ${count('cannot be tried')} cannot be tried`;
}

/** @param payer the name of the world in which the payer acts */
export function asJson(findings: readonly Finding[], payer: string): unknown {
  return {
    payer,
    items: findings.map((finding) => ({
      id: finding.row.id,
      section: finding.row.section,
      quote: finding.row.quote,
      kind: finding.row.kind,
      verdict: finding.verdict,
      ...(finding.verdict === 'holds' ? {} : { why: finding.why }),
      ...(finding.remarks.length === 0 ? {} : { remarks: finding.remarks }),
      ...(finding.verdict === 'differs' ? { exchange: masked(finding.exchange) } : {}),
    })),
  };
}
