import type { Words } from './en';

export const GERMAN: Words = {
  greeting: 'Guten Tag,',
  greetingByName: 'Guten Tag {{name}},',
  reference: 'Ihre Referenz: {{reference}}',
  notices: {
    'payment.failed': `Subject: Ihre Zahlung von {{amount}} konnte nicht eingezogen werden

Ihre Zahlung von {{amount}}, fällig am {{dueAt}}, konnten wir nicht einziehen.

Meist ist das Konto nicht ausreichend gedeckt, oder ein Limit bei Ihrer Bank ist erreicht.

{{#retryAt}}Wir versuchen es voraussichtlich am {{retryAt}} erneut. Bitte sorgen Sie dafür, dass die Zahlung ausgeführt werden kann.{{/retryAt}}
{{^retryAt}}Wir versuchen nicht noch einmal, diese Zahlung einzuziehen. {{#paymentLink}}Hier können Sie sie begleichen: {{paymentLink}}{{/paymentLink}}{{^paymentLink}}Bitte melden Sie sich bei uns, um sie zu begleichen.{{/paymentLink}}{{/retryAt}}`,
    'payment.increase_announced': `Subject: Ihre Zahlung ändert sich auf {{amount}}

Ab dem {{dueAt}} beträgt Ihre Zahlung {{amount}} statt {{previousAmount}}.

Wenn Sie nicht einverstanden sind, können Sie das Abonnement vorher kündigen, bei uns oder bei Ihrer Bank.`,
    'payment.upcoming': `Subject: Ihre Zahlung von {{amount}} wird bald fällig

Am {{dueAt}} ziehen wir {{amount}} für Ihr Abonnement ein.

Sie müssen nichts tun. Wenn Sie das Abonnement nicht fortsetzen möchten, können Sie es vorher kündigen, bei uns oder bei Ihrer Bank.`,
    'subscription.paused': `Subject: Ihr Abonnement ist pausiert

{{#until}}Ihr Abonnement ist bis zum {{until}} pausiert.{{/until}}{{^until}}Ihr Abonnement ist bis auf Weiteres pausiert.{{/until}}

Was während der Pause fällig wird, ziehen wir weder jetzt noch später ein.`,
    'subscription.resumed': `Subject: Ihr Abonnement läuft weiter

Die Pause Ihres Abonnements ist beendet. Zahlungen werden wieder an den gewohnten Tagen eingezogen.`,
    'subscription.cancelled': `Subject: Ihr Abonnement ist beendet

{{#byPayer}}Ihr Abonnement ist beendet, weil die Zustimmung bei Ihrer Bank widerrufen wurde.{{/byPayer}}{{^byPayer}}Ihr Abonnement ist beendet.{{/byPayer}}

Wir ziehen nichts mehr ein. Eine Zahlung, die bereits bei Ihrer Bank lag, kann noch ausgeführt werden.`,
    'subscription.completed': `Subject: Ihr Abonnement ist abgelaufen

Ihr Abonnement hat sein vereinbartes Ende erreicht. Wir ziehen nichts mehr ein. Vielen Dank.`,
  },
};
