import type { Words } from './en';

export const FRENCH: Words = {
  greeting: 'Bonjour,',
  greetingByName: 'Bonjour {{name}},',
  reference: 'Votre référence : {{reference}}',
  notices: {
    'payment.failed': `Subject: Votre paiement de {{amount}} n'a pas pu être encaissé

Nous n'avons pas pu encaisser votre paiement de {{amount}}, qui était dû le {{dueAt}}.

Le plus souvent, le compte n'est pas suffisamment approvisionné, ou un plafond fixé avec votre banque est atteint.

{{#retryAt}}Nous prévoyons un nouvel essai le {{retryAt}}. Merci de veiller à ce que le paiement puisse être effectué.{{/retryAt}}
{{^retryAt}}Nous n'essaierons plus d'encaisser ce paiement. {{#paymentLink}}Vous pouvez le régler ici : {{paymentLink}}{{/paymentLink}}{{^paymentLink}}Merci de nous contacter pour le régler.{{/paymentLink}}{{/retryAt}}`,
    'payment.increase_announced': `Subject: Votre paiement passe à {{amount}}

À partir du {{dueAt}}, votre paiement est de {{amount}} au lieu de {{previousAmount}}.

Si vous n'êtes pas d'accord, vous pouvez résilier l'abonnement avant cette date, auprès de nous ou de votre banque.`,
    'payment.upcoming': `Subject: Votre paiement de {{amount}} arrive à échéance

Le {{dueAt}}, nous encaisserons {{amount}} pour votre abonnement.

Vous n'avez rien à faire. Si vous ne souhaitez pas poursuivre l'abonnement, vous pouvez le résilier avant cette date, auprès de nous ou de votre banque.`,
    'subscription.paused': `Subject: Votre abonnement est suspendu

{{#until}}Votre abonnement est suspendu jusqu'au {{until}}.{{/until}}{{^until}}Votre abonnement est suspendu jusqu'à nouvel ordre.{{/until}}

Aucun paiement dû pendant la suspension ne sera encaissé, ni maintenant ni plus tard.`,
    'subscription.resumed': `Subject: Votre abonnement reprend

La suspension de votre abonnement est terminée. Les paiements sont de nouveau encaissés aux dates habituelles.`,
    'subscription.cancelled': `Subject: Votre abonnement est résilié

{{#byPayer}}Votre abonnement est résilié, car le consentement a été retiré auprès de votre banque.{{/byPayer}}{{^byPayer}}Votre abonnement est résilié.{{/byPayer}}

Plus rien ne sera encaissé. Un paiement déjà transmis à votre banque peut encore être exécuté.`,
    'subscription.completed': `Subject: Votre abonnement est arrivé à son terme

Votre abonnement est arrivé au terme convenu. Plus rien ne sera encaissé. Merci.`,
  },
};
