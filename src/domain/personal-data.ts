/** Of an e-mail what tells a person whether it is the right one, and no more: `a***@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first = ''] = email;
  return at < 1 ? '***' : `${first}***${email.slice(at)}`;
}
