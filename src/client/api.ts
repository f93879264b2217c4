/** Written by `npm run client` from the OpenAPI description. Do not edit. */

export interface paths {
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Answers while the process lives */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tells whether all that is needed can be had, and how long each took; the payment service is shown beside */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists subscriptions, newest first */
    get: operations['listSubscriptions'];
    put?: never;
    /** Creates a subscription and opens the consent session, for which the payer has 10 minutes */
    post: operations['createSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Shows one subscription */
    get: operations['getSubscription'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Replaces the metadata */
    patch: operations['changeSubscription'];
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists the cycles with their attempts, newest first */
    get: operations['listCycles'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/schedule': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists the cycles still to come */
    get: operations['getSchedule'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists the trail of one subscription, newest first */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ends a pause: the calendar stays as it was, without arrears */
    post: operations['resumeSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/acknowledge': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A person has seen what needs attention: clears that standing */
    post: operations['acknowledgeSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/restart': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Begins the workflow anew from the ledger, where none runs; 409 while one does */
    post: operations['restartSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Pauses: due dates inside the pause are skipped for good */
    post: operations['pauseSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Cancels: no new attempt from now on, and the consent is ended at the service */
    post: operations['cancelSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/consent-check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Asks the service for the consent now, for when the payer has come back */
    post: operations['checkConsent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/amount-changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Changes the amount from a cycle on; with dryRun only tells what the change would be */
    post: operations['changeAmount'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/amount-changes/pending': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Takes back a change of amount that no cycle has frozen yet */
    delete: operations['withdrawAmountChange'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/skip': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Skips a cycle for good; only before its first attempt */
    post: operations['skipCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Makes the next attempt now instead of at its planned time */
    post: operations['retryCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Decides, with evidence, what became of an attempt of which the service does not tell */
    post: operations['resolveCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists one-time payments, newest first */
    get: operations['listPayments'];
    put?: never;
    /** Requests a one-time payment and opens the consent session, for which the payer has 10 minutes */
    post: operations['createPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Shows one one-time payment */
    get: operations['getPayment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Replaces the metadata */
    patch: operations['changePayment'];
    trace?: never;
  };
  '/v1/payments/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists the trail of one one-time payment, newest first */
    get: operations['listPaymentEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/captures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Debits what was authorized, or part of it, as the flags allow; needs an Idempotency-Key */
    post: operations['capturePayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/release': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Gives back what was authorized and not captured; 200 once the service has confirmed, 202 until then */
    post: operations['releasePayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/consent-check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Asks the service for the consent now, for when the payer has come back */
    post: operations['checkPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/restart': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Begins the workflow anew from the ledger, where none runs; 409 while one does */
    post: operations['restartPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Gives back what a cycle has collected, or part of it; needs an Idempotency-Key */
    post: operations['refundCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Gives back what a capture has debited, or part of it; needs an Idempotency-Key */
    post: operations['refundPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/captures/{orderId}/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Decides, with evidence, whether a capture was made of which the service does not tell */
    post: operations['resolveCapture'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds/{refundId}/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Decides, with evidence, whether a refund was made of which the service does not tell */
    post: operations['resolveRefund'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists the whole trail, newest first; `from` inclusive, `to` exclusive */
    get: operations['listAudit'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit/{id}/redact': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Removes the words of one entry of the trail, for good: they are shown as `[redacted]`
     * @description Of `data` that is `reason`, `evidence`, `note`, `message`, `description` and `error`; everything else stays, and the hash chain too. The same words are removed where the ledger has them of the same subscription or payment. It is 409 where the entry has no words, or none any more.
     */
    post: operations['redactAuditEntry'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists every movement of money, oldest first, or streams all of them as CSV
     * @description Debits, captures and refunds of all plans, one item each, in the order in which they began, which never changes. With `Accept: text/csv` all of them are streamed, regardless of `limit`: a header, then one line each (RFC 4180), amounts in cents. A text that begins with `=`, `+`, `-`, `@`, a tab or a line end is preceded by an apostrophe, so that no spreadsheet runs it. A stream that broke off is resumed by `after`, the transactionId of its last whole line.
     */
    get: operations['listTransactions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists what the merchant's systems are told, oldest first, for those who would rather ask */
    get: operations['listMerchantEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists the endpoints: that of the environment, then oldest first */
    get: operations['listWebhookEndpoints'];
    put?: never;
    /** Makes an endpoint, which gets what happens from now on; its secret is shown this once */
    post: operations['createWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** One endpoint */
    get: operations['getWebhookEndpoint'];
    put?: never;
    post?: never;
    /** Deletes an endpoint, with all that was pending for it and what is known of its deliveries */
    delete: operations['deleteWebhookEndpoint'];
    options?: never;
    head?: never;
    /** Changes an endpoint; enabled, or with another URL, it gets at once what is pending */
    patch: operations['changeWebhookEndpoint'];
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Gives an endpoint a new secret, shown this once; the one before signs too for the overlap */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists what was sent to an endpoint, newest first, with each try; admins see what it answered */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Sends an endpoint the events of a span again, those that were not delivered first; Location names the job */
    post: operations['replayEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Sends one endpoint a sample of a type, with `test: true`; no other gets it, and no list shows it */
    post: operations['testWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Sends an event to an endpoint once more, with the same id, and all that is pending for it, at once */
    post: operations['resendEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Sends events as they come (text/event-stream), from Last-Event-ID on, or from now */
    get: operations['streamEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/attention': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists what waits for a person, and why: first a halt of all sending, then the rest in the order asked for */
    get: operations['listAttention'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/attention/{item}/assign': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Assigns the item to a person; null removes the assignee */
    post: operations['assignAttention'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/attention/{item}/note': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Replaces the note; null: none */
    post: operations['noteAttention'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/attention/{item}/close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Closes a difference that is explained, or dead letters that nobody needs */
    post: operations['closeAttention'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/notices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists what payers and the merchant are told, newest first */
    get: operations['listNotices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/notices/{id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Delivers a notice again, now, under the same webhook-id; one that was given up is open again */
    post: operations['resendNotice'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/notices/{id}/told': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A person has told the payer by other means: it counts as delivered then, and the retry may follow */
    post: operations['recordTold'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/payer': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Changes the payer's e-mail, reference or language; undelivered notices go to a new e-mail at once */
    patch: operations['changePayer'];
    trace?: never;
  };
  '/v1/payers/{reference}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tells all that is stored of a payer, over all subscriptions, payments and drafts */
    get: operations['getPayer'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payers/{reference}/erase': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Erases a payer for good: all personal data of all subscriptions, payments and drafts
     * @description Rows about money stay. It is 409 with `living` while something is not over, such as a subscription in force, an undelivered notice or an event on its way. The reason is kept, and must not name the payer.
     */
    post: operations['erasePayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/collections': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What fell due, by the UTC day of the due date, and what became of it
     * @description Every figure goes by the due date of its cycle, whenever it was collected or refunded. `due` is what has fallen due by now: the sum of `collected`, `failed`, `skipped`, `missed` and `open`. `refunded` is part of `collected`.
     */
    get: operations['reportCollections'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/deadlines': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the open cycles, the one whose time is over soonest first
     * @description Cycles that have fallen due and are not final. One whose first attempt has not begun is `scheduled`; of several such of one subscription the earliest is listed.
     */
    get: operations['listDeadlines'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/forecast': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What is still to be collected, by the UTC day of the due date
     * @description From the calendars of active subscriptions, and of paused ones from the end of their pause on, each at the amount that its next cycle collects. Cycles that have been tried are not in it.
     */
    get: operations['reportForecast'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/recovery': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What retries have recovered, of the cycles that fell due in the span
     * @description Each cycle that the bank has answered counts once, regardless of the number of its attempts. Skipped and missed ones, which were never refused, are not in it.
     */
    get: operations['reportRecovery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/retry-advice': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What retries at other times within the 72 hours would have met, by the history of the span
     * @description Numbers to weigh, which nothing applies by itself. That a retry would have met the money later, too, supposes that it stayed in the account.
     */
    get: operations['adviseRetries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/reconciliation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Every difference that comparisons of the ledger with the payment service have found
     * @description Tells of each part of the span what the newest finished comparison of it has found, the daily ones included; it begins none. `comparedAt` is the instant up to which everything in the span has been compared, and null where a part of it, named in `notCompared`, never was.
     */
    get: operations['reportReconciliation'];
    put?: never;
    /**
     * Compares the ledger with the payment service, as a job
     * @description Asks the payment service about every payment of the subscriptions, and every one-time payment, that had not ended before `from`, or was touched since, and compares records with a date in the span. What is under way is no difference. Nothing is changed. One runs at a time: ordered again for the same span, the answer names the job that runs; for another span it is 409 `state_conflict` with its `jobId`, `from` and `to`.
     */
    post: operations['orderReconciliation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/bulk': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Makes one call for each of many subscriptions, after a dry run
     * @description With `dryRun` it tells what the filter selects, and gives a token that is valid for 15 minutes, once, with the same key. With the token it begins a job that makes the single call for each of them, also where other calls are refused. Where the filter selects others by then, or one of them stands otherwise, it is 409 `selection_changed` with what changed. It needs the role of the single call, and takes 50000 subscriptions at most.
     */
    post: operations['bulk'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/jobs/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** How far a job has come */
    get: operations['getJob'];
    put?: never;
    post?: never;
    /** Stops a job between two payments, subscriptions or events; what it has found, done or sent stays */
    delete: operations['stopJob'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/jobs/{id}/results': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Every difference that a reconciliation has found so far, or what became of each subscription of a bulk */
    get: operations['listJobResults'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/halt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tells whether all sending is halted */
    get: operations['getHalt'];
    put?: never;
    /**
     * Halts all sending: once it is answered, nothing is debited, captured or refunded until it is lifted
     * @description What the service has already been asked for is followed to its end; pause, cancel, release and consent checks go on. Halted already: the standing halt is answered, with its own reason.
     */
    post: operations['haltSending'];
    /**
     * Lifts the halt: what is still inside its window is sent within a minute
     * @description A halt that stands as the ledger was restored is lifted once everything was compared with the payment service since, and no difference waits for a person; before, 409 says what is missing.
     */
    delete: operations['liftHalt'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists the keys, revoked ones too, oldest first */
    get: operations['listKeys'];
    put?: never;
    /**
     * Makes a key; it is shown this once
     * @description A key that is itself limited in scopes, money or time makes only keys that are so, too; one that is limited in what it refunds, none that refunds.
     */
    post: operations['createKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Puts a new key in the place of one, which ends after the overlap; it is shown this once
     * @description Name, role, holder, scopes, limits and expiry are those of the old key, and an Idempotency-Key that was used with one of both was used with the other.
     */
    post: operations['rotateKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /** Revokes a key, at once and for good */
    delete: operations['revokeKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/approvals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists what waits for a second person, and what became of the rest, newest first */
    get: operations['listApprovals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/approvals/{id}/approve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Approves a request of another person, who then repeats it with Dueday-Approval */
    post: operations['approveRequest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/approvals/{id}/reject': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Rejects a request, also one that was approved and is not used yet */
    post: operations['rejectRequest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The session that the call came with */
    get: operations['getSession'];
    put?: never;
    /** Exchanges a key for a session: the cookie __Host-dueday, for a browser */
    post: operations['openSession'];
    /** Ends the session that the call came with, at once */
    delete: operations['endSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Takes over mandates granted elsewhere: one a line, answered one a line, in order */
    post: operations['importSubscriptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'subscription.created': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The subscription exists, and its payer is asked for the consent, or has given it elsewhere */
    post: operations['on_subscription_created'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.activated': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The consent stands: the subscription is collected from now on */
    post: operations['on_subscription_activated'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.paused': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Due dates are skipped until it is resumed */
    post: operations['on_subscription_paused'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.resumed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The pause has ended */
    post: operations['on_subscription_resumed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.cancelled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The consent has ended: nothing further is collected */
    post: operations['on_subscription_cancelled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The last cycle is final, and nothing is open */
    post: operations['on_subscription_completed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.replaced': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Another subscription has taken its place */
    post: operations['on_subscription_replaced'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'consent.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The payer has not given the consent */
    post: operations['on_consent_failed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.upcoming': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A cycle falls due in CYCLE_UPCOMING_DAYS days or less */
    post: operations['on_cycle_upcoming'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.collected': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The money is there; `late` where the window had closed */
    post: operations['on_cycle_collected'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.dunning': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An attempt was refused, and a retry is planned */
    post: operations['on_cycle_dunning'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The cycle is not collected */
    post: operations['on_cycle_failed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.skipped': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The cycle was not to be collected */
    post: operations['on_cycle_skipped'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.missed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The window has closed, and nothing was sent */
    post: operations['on_cycle_missed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.unresolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Whether an attempt made a debit cannot be told */
    post: operations['on_cycle_unresolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.resolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A person has settled it */
    post: operations['on_cycle_resolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'amount_change.accepted': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The amount is to change */
    post: operations['on_amount_change_accepted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'amount_change.withdrawn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A pending change was taken back */
    post: operations['on_amount_change_withdrawn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'amount_change.dropped': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A pending change could not be collected; the old amount is */
    post: operations['on_amount_change_dropped'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'amount_change.applied': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A cycle was collected at another amount than the one before */
    post: operations['on_amount_change_applied'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'refund.successful': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The payer has the money back */
    post: operations['on_refund_successful'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'refund.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The refund was not made */
    post: operations['on_refund_failed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'refund.unresolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Whether the refund was made cannot be told */
    post: operations['on_refund_unresolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.authorized': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The payer's bank has authorized the payment */
    post: operations['on_payment_authorized'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.captured': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A Single Immediate payment is booked */
    post: operations['on_payment_captured'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.released': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The authorization was given back: the payer is not debited */
    post: operations['on_payment_released'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.expired': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The deadline has passed: nothing more can be captured */
    post: operations['on_payment_expired'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** The payment was not made */
    post: operations['on_payment_failed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'capture.successful': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A capture was made */
    post: operations['on_capture_successful'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'capture.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A capture was not made */
    post: operations['on_capture_failed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'capture.unresolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Whether a capture was made cannot be told */
    post: operations['on_capture_unresolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'capture.deadline_near': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Money is left to capture, a day before the deadline */
    post: operations['on_capture_deadline_near'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'notice.delivered': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A notice counts as delivered */
    post: operations['on_notice_delivered'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'notice.undeliverable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A notice was given up */
    post: operations['on_notice_undeliverable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'attention.opened': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Something waits for a person */
    post: operations['on_attention_opened'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'attention.cleared': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** It waits no more */
    post: operations['on_attention_cleared'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'reconciliation.difference': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Ledger and service disagree */
    post: operations['on_reconciliation_difference'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'audit.head': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Once a day: how many links the hash chain over the trail has, and the hash of the last */
    post: operations['on_audit_head'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'endpoint.disabled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An endpoint gets nothing any more */
    post: operations['on_endpoint_disabled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'endpoint.recovered': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An endpoint that was disabled has taken an event again */
    post: operations['on_endpoint_recovered'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'endpoint.test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A test, sent on request */
    post: operations['on_endpoint_test'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    Address: {
      name: string & (unknown & unknown);
      street: string & (unknown & unknown);
      postalCode: string & (unknown & unknown);
      city: string & (unknown & unknown);
      country: string;
      /** Format: email */
      email?: string;
    };
    AddressInput: {
      name: string & (unknown & unknown);
      street: string & (unknown & unknown);
      postalCode: string & (unknown & unknown);
      city: string & (unknown & unknown);
      country: string;
      /** Format: email */
      email?: string;
    };
    AmountChange: {
      amount: components['schemas']['MoneyOut'];
      previousAmount: components['schemas']['MoneyOut'];
      fromCycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      effectiveAt: string;
      /** @enum {string} */
      kind: 'increase' | 'reduction' | 'unchanged';
      countsAsIncrease: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextIncreaseAllowedFrom?: string;
      dryRun: boolean;
    };
    AmountChangeInput: {
      amount: components['schemas']['MoneyOutInput'];
      previousAmount: components['schemas']['MoneyOutInput'];
      fromCycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      effectiveAt: string;
      /** @enum {string} */
      kind: 'increase' | 'reduction' | 'unchanged';
      countsAsIncrease: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextIncreaseAllowedFrom?: string;
      dryRun: boolean;
    };
    Approval: {
      approvalId: string;
      /**
       * @description `used`: the request that it permits was begun; no other one is permitted
       * @enum {string}
       */
      state: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
      /** @description The operationId of the call */
      operation: string;
      /** @description Method and path */
      call: string;
      subscriptionId?: string;
      paymentId?: string;
      /** @description Minor units: 1999 is 19.99 EUR */
      amount?: {
        value: number;
        /** @constant */
        currency: 'EUR';
      };
      /** @description What else of the request has to be known */
      facts: {
        [key: string]: unknown;
      };
      /** @description The name of the API key */
      requestedBy: string;
      /** @description The person who has that key; another one approves */
      holder: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt: string;
      /** @description The name of the API key */
      decidedBy?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      decidedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      usedAt?: string;
    };
    ApprovalInput: {
      approvalId: string;
      /**
       * @description `used`: the request that it permits was begun; no other one is permitted
       * @enum {string}
       */
      state: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
      /** @description The operationId of the call */
      operation: string;
      /** @description Method and path */
      call: string;
      subscriptionId?: string;
      paymentId?: string;
      /** @description Minor units: 1999 is 19.99 EUR */
      amount?: components['schemas']['MoneyOutInput'];
      /** @description What else of the request has to be known */
      facts: {
        [key: string]: unknown;
      };
      /** @description The name of the API key */
      requestedBy: string;
      /** @description The person who has that key; another one approves */
      holder: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt: string;
      /** @description The name of the API key */
      decidedBy?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      decidedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      usedAt?: string;
    };
    AssignAttention: {
      assignee: (string & (unknown & unknown)) | null;
    };
    AssignAttentionInput: {
      assignee: (string & (unknown & unknown)) | null;
    };
    Attempt: {
      attempt: number;
      send: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      amount: components['schemas']['MoneyOut'];
      /** @enum {string} */
      outcome: 'pending' | 'successful' | 'rejected_retryable' | 'rejected' | 'not_sent' | 'unknown';
      authorizationId?: string;
      captureId?: string;
      detail?: string;
      description?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      payerNotifiedAt?: string;
      resolvedBy?: string;
      /** @description Another system made it, and it was taken for the debit of the cycle */
      adopted: boolean;
    };
    AttemptInput: {
      attempt: number;
      send: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      amount: components['schemas']['MoneyOutInput'];
      /** @enum {string} */
      outcome: 'pending' | 'successful' | 'rejected_retryable' | 'rejected' | 'not_sent' | 'unknown';
      authorizationId?: string;
      captureId?: string;
      detail?: string;
      description?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      payerNotifiedAt?: string;
      resolvedBy?: string;
      /** @description Another system made it, and it was taken for the debit of the cycle */
      adopted: boolean;
    };
    Attention: {
      /** @description Its id: the same matter, come back, has the same */
      item: string;
      kind: string;
      subscriptionId: string | null;
      paymentId: string | null;
      orderId?: string;
      /** @description Of dead letters */
      endpointId?: string;
      /** @description Null if it is about no cycle */
      cycle: number | null;
      status:
        | (
            | 'pending_consent'
            | 'consent_failed'
            | 'active'
            | 'paused'
            | 'cancelled'
            | 'completed'
            | 'authorized'
            | 'partly_captured'
            | 'captured'
            | 'released'
            | 'expired'
            | 'failed'
            | 'refunded'
          )
        | null;
      /** @description What has happened, in a few words */
      title: string;
      /** @description What it means, and what an operator does about it */
      explanation: string;
      /** @description Null if an operator must look first */
      recommended: components['schemas']['RecommendedCall'] | null;
      /** @description What it is about; null where it is about no money */
      amount: components['schemas']['MoneyOut'] | null;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since: string;
      /** @description Until when a person can still change something */
      deadline: string | null;
      ledger: components['schemas']['Evidence'] | null;
      /** @description Null where it has nothing of the kind, or cannot be asked */
      service: components['schemas']['Evidence'] | null;
      /** @description The records of both sides, line by line */
      evidence: components['schemas']['EvidenceRow'][];
      /** @description Ids of other open items of the same subscription or payment, at most 20 */
      related: string[];
      assignee: string | null;
      note: string | null;
    };
    AttentionInput: {
      /** @description Its id: the same matter, come back, has the same */
      item: string;
      kind: string;
      subscriptionId: string | null;
      paymentId: string | null;
      orderId?: string;
      /** @description Of dead letters */
      endpointId?: string;
      /** @description Null if it is about no cycle */
      cycle: number | null;
      status:
        | (
            | 'pending_consent'
            | 'consent_failed'
            | 'active'
            | 'paused'
            | 'cancelled'
            | 'completed'
            | 'authorized'
            | 'partly_captured'
            | 'captured'
            | 'released'
            | 'expired'
            | 'failed'
            | 'refunded'
          )
        | null;
      /** @description What has happened, in a few words */
      title: string;
      /** @description What it means, and what an operator does about it */
      explanation: string;
      /** @description Null if an operator must look first */
      recommended: components['schemas']['RecommendedCallInput'] | null;
      /** @description What it is about; null where it is about no money */
      amount: components['schemas']['MoneyOutInput'] | null;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since: string;
      /** @description Until when a person can still change something */
      deadline: string | null;
      ledger: components['schemas']['EvidenceInput'] | null;
      /** @description Null where it has nothing of the kind, or cannot be asked */
      service: components['schemas']['EvidenceInput'] | null;
      /** @description The records of both sides, line by line */
      evidence: components['schemas']['EvidenceRowInput'][];
      /** @description Ids of other open items of the same subscription or payment, at most 20 */
      related: string[];
      assignee: string | null;
      note: string | null;
    };
    AuditEntry: {
      /** @description By which `POST /v1/audit/{id}/redact` names it */
      id: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      actor: string;
      /** @description Of the API key that acted, or whose session did; null where none of `GET /v1/keys` did */
      keyId: string | null;
      type: string;
      /** @description The entry in a few plain sentences */
      text: string;
      rule: components['schemas']['Rule'] | null;
      data: {
        [key: string]: unknown;
      };
      subscriptionId: string | null;
      paymentId?: string;
    };
    AuditEntryInput: {
      /** @description By which `POST /v1/audit/{id}/redact` names it */
      id: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      actor: string;
      /** @description Of the API key that acted, or whose session did; null where none of `GET /v1/keys` did */
      keyId: string | null;
      type: string;
      /** @description The entry in a few plain sentences */
      text: string;
      rule: components['schemas']['RuleInput'] | null;
      data: {
        [key: string]: unknown;
      };
      subscriptionId: string | null;
      paymentId?: string;
    };
    Authorization: {
      authorizationId: string;
      amount: components['schemas']['MoneyOut'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      detail?: string;
      description?: string;
    };
    AuthorizationInput: {
      authorizationId: string;
      amount: components['schemas']['MoneyOutInput'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      detail?: string;
      description?: string;
    };
    Bulk: {
      /** @enum {string} */
      action?: 'pause' | 'resume' | 'cancel' | 'retry' | 'consent-check' | 'acknowledge' | 'amount-change';
      /** @description The body of the single call; of a retry, that of the cycle that waits for one */
      parameters?: {
        [key: string]: unknown;
      };
      /** @description As that of the list of subscriptions; not empty */
      filter?: {
        /**
         * Format: date-time
         * @description Inclusive
         */
        createdFrom?: unknown;
        /**
         * Format: date-time
         * @description Exclusive
         */
        createdTo?: unknown;
        /**
         * Format: date-time
         * @description Inclusive
         */
        dueFrom?: unknown;
        /**
         * Format: date-time
         * @description Exclusive
         */
        dueTo?: unknown;
        /** @description All of these pairs, each as metadata[key]=value */
        metadata?: components['schemas']['Metadata'];
        q?: string & (unknown & unknown);
        /** @enum {string} */
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        /** @enum {string} */
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        /** @enum {string} */
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /**
         * Format: date-time
         * @description ISO 8601 with date, time of day and offset
         */
        dueBefore?: unknown;
      };
      /** @default false */
      dryRun: boolean;
      /** @description Starts what the dry run has shown. What else is given must be as it was there */
      token?: string;
    };
    BulkDryRun: {
      /** @enum {string} */
      action: 'pause' | 'resume' | 'cancel' | 'retry' | 'consent-check' | 'acknowledge' | 'amount-change';
      total: number;
      /** @description Subscriptions by status */
      counts: {
        [key: string]: number;
      };
      /** @description What the next cycles of all of them collect */
      amount: components['schemas']['MoneyOut'];
      /** @description What they would collect after the change of amount */
      amountAfter?: components['schemas']['MoneyOut'];
      /** @description The first 20 */
      items: components['schemas']['SelectedSubscription'][];
      /** @description Starts it, once, and only while the selection stands as it is */
      token: string;
      /**
       * Format: date-time
       * @description In real time
       */
      tokenValidUntil: string;
    };
    BulkDryRunInput: {
      /** @enum {string} */
      action: 'pause' | 'resume' | 'cancel' | 'retry' | 'consent-check' | 'acknowledge' | 'amount-change';
      total: number;
      /** @description Subscriptions by status */
      counts: {
        [key: string]: number;
      };
      /** @description What the next cycles of all of them collect */
      amount: components['schemas']['MoneyOutInput'];
      /** @description What they would collect after the change of amount */
      amountAfter?: components['schemas']['MoneyOutInput'];
      /** @description The first 20 */
      items: components['schemas']['SelectedSubscriptionInput'][];
      /** @description Starts it, once, and only while the selection stands as it is */
      token: string;
      /**
       * Format: date-time
       * @description In real time
       */
      tokenValidUntil: string;
    };
    BulkInput: {
      /** @enum {string} */
      action?: 'pause' | 'resume' | 'cancel' | 'retry' | 'consent-check' | 'acknowledge' | 'amount-change';
      /** @description The body of the single call; of a retry, that of the cycle that waits for one */
      parameters?: {
        [key: string]: unknown;
      };
      /** @description As that of the list of subscriptions; not empty */
      filter?: {
        /**
         * Format: date-time
         * @description Inclusive
         */
        createdFrom?: string;
        /**
         * Format: date-time
         * @description Exclusive
         */
        createdTo?: string;
        /**
         * Format: date-time
         * @description Inclusive
         */
        dueFrom?: string;
        /**
         * Format: date-time
         * @description Exclusive
         */
        dueTo?: string;
        /** @description All of these pairs, each as metadata[key]=value */
        metadata?: components['schemas']['MetadataInput'];
        q?: string & (unknown & unknown);
        /** @enum {string} */
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        /** @enum {string} */
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        /** @enum {string} */
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /**
         * Format: date-time
         * @description ISO 8601 with date, time of day and offset
         */
        dueBefore?: string;
      };
      /** @default false */
      dryRun?: boolean;
      /** @description Starts what the dry run has shown. What else is given must be as it was there */
      token?: string;
    };
    BulkJob: {
      jobId: string;
      /** @constant */
      kind: 'bulk';
      /** @enum {string} */
      state: 'running' | 'finished' | 'failed' | 'stopped';
      /** @description Subscriptions that are over, refused ones too */
      done: number;
      total: number;
      /** @description Subscriptions for which the single call was refused */
      refused: number;
      action: string;
      /** @description An API key's name */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
    };
    BulkJobInput: {
      jobId: string;
      /** @constant */
      kind: 'bulk';
      /** @enum {string} */
      state: 'running' | 'finished' | 'failed' | 'stopped';
      /** @description Subscriptions that are over, refused ones too */
      done: number;
      total: number;
      /** @description Subscriptions for which the single call was refused */
      refused: number;
      action: string;
      /** @description An API key's name */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
    };
    BulkResult: {
      subscriptionId: string;
      /**
       * @description `not_done`: the job was stopped before
       * @enum {string}
       */
      state: 'waiting' | 'done' | 'refused' | 'not_done';
      /** @description In business time; null before it is over */
      at: string | null;
      /** @description As the single call answers it */
      problem?: {
        type: string;
        title: string;
        status: number;
        detail: string;
        /** @enum {string} */
        code:
          | 'invalid_request'
          | 'unauthenticated'
          | 'forbidden'
          | 'limit_exceeded'
          | 'csrf_failed'
          | 'not_found'
          | 'not_acceptable'
          | 'state_conflict'
          | 'amount_change_not_allowed'
          | 'retry_not_allowed'
          | 'refund_not_allowed'
          | 'capture_not_allowed'
          | 'token_used'
          | 'selection_changed'
          | 'approval_required'
          | 'approval_rejected'
          | 'approval_expired'
          | 'approval_used'
          | 'approval_mismatch'
          | 'halted'
          | 'idempotency_in_progress'
          | 'request_timeout'
          | 'cursor_expired'
          | 'payload_too_large'
          | 'unsupported_media_type'
          | 'idempotency_key_reused'
          | 'rate_limited'
          | 'internal'
          | 'payment_service_unavailable'
          | 'not_ready';
        errors?: {
          path: string;
          message: string;
        }[];
      } & {
        [key: string]: unknown;
      };
    };
    BulkResultInput: {
      subscriptionId: string;
      /**
       * @description `not_done`: the job was stopped before
       * @enum {string}
       */
      state: 'waiting' | 'done' | 'refused' | 'not_done';
      /** @description In business time; null before it is over */
      at: string | null;
      /** @description As the single call answers it */
      problem?: components['schemas']['ProblemInput'];
    };
    Capture: {
      captureId: string | null;
      orderId?: string;
      amount: components['schemas']['MoneyOut'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      finalCapture: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      detail?: string;
      description?: string;
    };
    CaptureInput: {
      captureId: string | null;
      orderId?: string;
      amount: components['schemas']['MoneyOutInput'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      finalCapture: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      detail?: string;
      description?: string;
    };
    ChangeAmount: {
      amount: components['schemas']['Money'];
      fromCycle?: number;
      /** @default false */
      dryRun: boolean;
      reason?: string & (unknown & unknown);
    };
    ChangeAmountInput: {
      amount: components['schemas']['MoneyInput'];
      fromCycle?: number;
      /** @default false */
      dryRun?: boolean;
      reason?: string & (unknown & unknown);
    };
    ChangeMetadata: {
      /** @description Takes the place of all that was there */
      metadata: components['schemas']['Metadata'];
    };
    ChangeMetadataInput: {
      /** @description Takes the place of all that was there */
      metadata: components['schemas']['MetadataInput'];
    };
    ChangePayer: {
      email?: string | null;
      reference?: (string & (unknown & unknown)) | null;
      language?: ('en' | 'de' | 'fr' | 'nl') | null;
    };
    ChangePayerInput: {
      email?: string | null;
      reference?: (string & (unknown & unknown)) | null;
      language?: ('en' | 'de' | 'fr' | 'nl') | null;
    };
    ChangeWebhookEndpoint: {
      url?: string;
      types?: string[];
      description?: (string & (unknown & unknown)) | null;
      enabled?: boolean;
    };
    ChangeWebhookEndpointInput: {
      url?: string;
      types?: string[];
      description?: (string & (unknown & unknown)) | null;
      enabled?: boolean;
    };
    CloseAttention: {
      reason: string & (unknown & unknown);
    };
    CloseAttentionInput: {
      reason: string & (unknown & unknown);
    };
    CollectionsReport: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      items: {
        due: components['schemas']['Figure'];
        collected: components['schemas']['Figure'];
        failed: components['schemas']['Figure'];
        skipped: components['schemas']['Figure'];
        missed: components['schemas']['Figure'];
        open: components['schemas']['Figure'];
        refunded: components['schemas']['Figure'];
        /**
         * Format: date
         * @description A day in UTC
         */
        day: string;
      }[];
      total: {
        due: components['schemas']['Figure'];
        collected: components['schemas']['Figure'];
        failed: components['schemas']['Figure'];
        skipped: components['schemas']['Figure'];
        missed: components['schemas']['Figure'];
        open: components['schemas']['Figure'];
        refunded: components['schemas']['Figure'];
      };
      nextCursor: null;
    };
    CollectionsReportInput: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      items: {
        due: components['schemas']['FigureInput'];
        collected: components['schemas']['FigureInput'];
        failed: components['schemas']['FigureInput'];
        skipped: components['schemas']['FigureInput'];
        missed: components['schemas']['FigureInput'];
        open: components['schemas']['FigureInput'];
        refunded: components['schemas']['FigureInput'];
        /**
         * Format: date
         * @description A day in UTC
         */
        day: string;
      }[];
      total: {
        due: components['schemas']['FigureInput'];
        collected: components['schemas']['FigureInput'];
        failed: components['schemas']['FigureInput'];
        skipped: components['schemas']['FigureInput'];
        missed: components['schemas']['FigureInput'];
        open: components['schemas']['FigureInput'];
        refunded: components['schemas']['FigureInput'];
      };
      nextCursor: null;
    };
    CreateCapture: {
      amount: components['schemas']['Money'];
      /**
       * @description Closes the payment and releases what is left
       * @default false
       */
      finalCapture: boolean;
    };
    CreateCaptureInput: {
      amount: components['schemas']['MoneyInput'];
      /**
       * @description Closes the payment and releases what is left
       * @default false
       */
      finalCapture?: boolean;
    };
    CreateKey: {
      /** @description The trail tells keys by name: a name is taken for ever, in any case of its letters */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      /** @description The person who has it */
      holder?: string;
      /**
       * Format: date-time
       * @description Real time
       */
      expiresAt?: unknown;
      /** @description What of its role it may do; all where none is given */
      scopes?: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: components['schemas']['KeyLimits'];
      reason?: string & (unknown & unknown);
    };
    CreateKeyInput: {
      /** @description The trail tells keys by name: a name is taken for ever, in any case of its letters */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      /** @description The person who has it */
      holder?: string;
      /**
       * Format: date-time
       * @description Real time
       */
      expiresAt?: string;
      /** @description What of its role it may do; all where none is given */
      scopes?: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: components['schemas']['KeyLimitsInput'];
      reason?: string & (unknown & unknown);
    };
    CreatePayment: {
      /** @enum {string} */
      plan: 'SINGLE' | 'EVENT_DEPENDENT';
      amount: components['schemas']['Money'];
      returnURL: string;
      billingAddress: components['schemas']['Address'];
      shippingAddress?: components['schemas']['Address'];
      payer?: components['schemas']['PayerIn'];
      /** @description Seconds from the authorization in which captures are taken; EVENT_DEPENDENT only */
      timeToCapture?: number;
      /** @default false */
      partialCapture: boolean;
      /** @default false */
      multipleCapture: boolean;
      merchantCategoryCode?: string;
      metadata?: components['schemas']['Metadata'];
    };
    CreatePaymentInput: {
      /** @enum {string} */
      plan: 'SINGLE' | 'EVENT_DEPENDENT';
      amount: components['schemas']['MoneyInput'];
      returnURL: string;
      billingAddress: components['schemas']['AddressInput'];
      shippingAddress?: components['schemas']['AddressInput'];
      payer?: components['schemas']['PayerInInput'];
      /** @description Seconds from the authorization in which captures are taken; EVENT_DEPENDENT only */
      timeToCapture?: number;
      /** @default false */
      partialCapture?: boolean;
      /** @default false */
      multipleCapture?: boolean;
      merchantCategoryCode?: string;
      metadata?: components['schemas']['MetadataInput'];
    };
    CreateRefund: {
      amount: components['schemas']['Money'];
      captureId?: string & (unknown & unknown);
      reason?: string & (unknown & unknown);
    };
    CreateRefundInput: {
      amount: components['schemas']['MoneyInput'];
      captureId?: string & (unknown & unknown);
      reason?: string & (unknown & unknown);
    };
    CreateSubscription: {
      amount: components['schemas']['Money'];
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      startAt: unknown;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      firstPaymentAt: unknown;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      endAt?: unknown;
      returnURL: string;
      billingAddress: components['schemas']['Address'];
      shippingAddress?: components['schemas']['Address'];
      payer: components['schemas']['PayerIn'];
      /**
       * @default continue
       * @enum {string}
       */
      onExhausted: 'continue' | 'pause' | 'cancel';
      subscriptionId?: string;
      replaces?: string;
      metadata?: components['schemas']['Metadata'];
    };
    CreateSubscriptionInput: {
      amount: components['schemas']['MoneyInput'];
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      startAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      firstPaymentAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      endAt?: string;
      returnURL: string;
      billingAddress: components['schemas']['AddressInput'];
      shippingAddress?: components['schemas']['AddressInput'];
      payer: components['schemas']['PayerInInput'];
      /**
       * @default continue
       * @enum {string}
       */
      onExhausted?: 'continue' | 'pause' | 'cancel';
      subscriptionId?: string;
      replaces?: string;
      metadata?: components['schemas']['MetadataInput'];
    };
    CreateWebhookEndpoint: {
      url: string;
      types: string[];
      description?: string & (unknown & unknown);
      /** @default true */
      enabled: boolean;
    };
    CreateWebhookEndpointInput: {
      url: string;
      types: string[];
      description?: string & (unknown & unknown);
      /** @default true */
      enabled?: boolean;
    };
    CreatedKey: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: {
        refundPerDay?: components['schemas']['MoneyOut'];
        changePerCall?: components['schemas']['MoneyOut'];
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
      key: string;
      /**
       * Format: date-time
       * @description Real time at which the bootstrap key ends, as there is an admin key now
       */
      bootstrapEndsAt?: string;
    };
    CreatedKeyInput: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: {
        refundPerDay?: components['schemas']['MoneyOutInput'];
        changePerCall?: components['schemas']['MoneyOutInput'];
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
      key: string;
      /**
       * Format: date-time
       * @description Real time at which the bootstrap key ends, as there is an admin key now
       */
      bootstrapEndsAt?: string;
    };
    Cycle: {
      cycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      amount: components['schemas']['MoneyOut'];
      /** @enum {string} */
      status: 'scheduled' | 'collecting' | 'dunning' | 'collected' | 'failed' | 'skipped' | 'missed' | 'unresolved';
      reason?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextAttemptAt?: string;
      retriesLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      retryUntil?: string;
      attempts: components['schemas']['Attempt'][];
      refunds: components['schemas']['Refund'][];
    };
    CycleInput: {
      cycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      amount: components['schemas']['MoneyOutInput'];
      /** @enum {string} */
      status: 'scheduled' | 'collecting' | 'dunning' | 'collected' | 'failed' | 'skipped' | 'missed' | 'unresolved';
      reason?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextAttemptAt?: string;
      retriesLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      retryUntil?: string;
      attempts: components['schemas']['AttemptInput'][];
      refunds: components['schemas']['RefundInput'][];
    };
    Deadline: {
      subscriptionId: string;
      cycle: number;
      /** @enum {string} */
      status: 'scheduled' | 'collecting' | 'dunning' | 'unresolved';
      amount: components['schemas']['MoneyOut'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description The sooner of collectBy and retryUntil
       */
      deadline: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      hoursLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      collectHoursLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      retryUntil?: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      retryHoursLeft?: number;
      /** @description Left out before the first failure */
      retriesLeft?: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextAttemptAt?: string;
      /** @description Begun so far; one sent again counts once */
      attempts: number;
      /** @description Empty where the cycle only waits for its time */
      blockedBy: (
        | 'time_over'
        | 'paused'
        | 'cancelling'
        | 'outcome_unresolved'
        | 'outcome_unknown'
        | 'other_cycle_in_doubt'
        | 'awaiting_answer'
        | 'pending_at_service'
        | 'capture_failed'
        | 'not_sent'
        | 'notice_undelivered'
        | 'notice_undeliverable'
      )[];
    };
    DeadlineInput: {
      subscriptionId: string;
      cycle: number;
      /** @enum {string} */
      status: 'scheduled' | 'collecting' | 'dunning' | 'unresolved';
      amount: components['schemas']['MoneyOutInput'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description The sooner of collectBy and retryUntil
       */
      deadline: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      hoursLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      collectHoursLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      retryUntil?: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      retryHoursLeft?: number;
      /** @description Left out before the first failure */
      retriesLeft?: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextAttemptAt?: string;
      /** @description Begun so far; one sent again counts once */
      attempts: number;
      /** @description Empty where the cycle only waits for its time */
      blockedBy: (
        | 'time_over'
        | 'paused'
        | 'cancelling'
        | 'outcome_unresolved'
        | 'outcome_unknown'
        | 'other_cycle_in_doubt'
        | 'awaiting_answer'
        | 'pending_at_service'
        | 'capture_failed'
        | 'not_sent'
        | 'notice_undelivered'
        | 'notice_undeliverable'
      )[];
    };
    EndedSession: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      endedAt: string;
    };
    EndedSessionInput: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      endedAt: string;
    };
    ErasedPayer: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      erasedAt: string;
      subscriptions: number;
      payments: number;
      /** @description Removed: the service had never answered */
      drafts: number;
      keptAnswers: number;
      events: number;
    };
    ErasedPayerInput: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      erasedAt: string;
      subscriptions: number;
      payments: number;
      /** @description Removed: the service had never answered */
      drafts: number;
      keptAnswers: number;
      events: number;
    };
    Event: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      actor: string;
      /** @description Of the API key that acted, or whose session did; null where none of `GET /v1/keys` did */
      keyId: string | null;
      type: string;
      /** @description The entry in a few plain sentences */
      text: string;
      rule: components['schemas']['Rule'] | null;
      data: {
        [key: string]: unknown;
      };
    };
    EventInput: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      actor: string;
      /** @description Of the API key that acted, or whose session did; null where none of `GET /v1/keys` did */
      keyId: string | null;
      type: string;
      /** @description The entry in a few plain sentences */
      text: string;
      rule: components['schemas']['RuleInput'] | null;
      data: {
        [key: string]: unknown;
      };
    };
    /** @description What one side says of it */
    Evidence: {
      state: string;
      /** @description Minor units: 1999 is 19.99 EUR */
      amount?: {
        value: number;
        /** @constant */
        currency: 'EUR';
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at?: string;
      id?: string;
      detail?: string;
    };
    /** @description What one side says of it */
    EvidenceInput: {
      state: string;
      /** @description Minor units: 1999 is 19.99 EUR */
      amount?: components['schemas']['MoneyOutInput'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at?: string;
      id?: string;
      detail?: string;
    };
    /** @description What ledger and service say of one thing; null where a side says nothing */
    EvidenceRow: {
      /** @enum {string} */
      what: 'state' | 'amount' | 'at' | 'id' | 'detail';
      ledger: string | null;
      service: string | null;
      /** @description Whether the two cannot both be true */
      differs: boolean;
    };
    /** @description What ledger and service say of one thing; null where a side says nothing */
    EvidenceRowInput: {
      /** @enum {string} */
      what: 'state' | 'amount' | 'at' | 'id' | 'detail';
      ledger: string | null;
      service: string | null;
      /** @description Whether the two cannot both be true */
      differs: boolean;
    };
    Figure: {
      amount: components['schemas']['MoneyOut'];
      count: number;
    };
    FigureInput: {
      amount: components['schemas']['MoneyOutInput'];
      count: number;
    };
    ForecastReport: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      items: {
        /**
         * Format: date
         * @description A day in UTC
         */
        day: string;
        due: components['schemas']['Figure'];
      }[];
      total: {
        due: components['schemas']['Figure'];
      };
      nextCursor: null;
    };
    ForecastReportInput: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      items: {
        /**
         * Format: date
         * @description A day in UTC
         */
        day: string;
        due: components['schemas']['FigureInput'];
      }[];
      total: {
        due: components['schemas']['FigureInput'];
      };
      nextCursor: null;
    };
    Halt: {
      halted: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since?: string;
      /** @description The name of the API key, or dueday where the ledger was restored */
      by?: string;
      reason?: string;
    };
    HaltInput: {
      halted: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since?: string;
      /** @description The name of the API key, or dueday where the ledger was restored */
      by?: string;
      reason?: string;
    };
    /** @description What became of one line */
    ImportAnswer:
      | {
          /** @description Counted from 1; blank lines count */
          line: number;
          subscriptionId: string;
          warnings?: string[];
        }
      | {
          /** @description Counted from 1; blank lines count */
          line: number;
          problem: components['schemas']['Problem'];
        };
    /** @description What became of one line */
    ImportAnswerInput:
      | {
          /** @description Counted from 1; blank lines count */
          line: number;
          subscriptionId: string;
          warnings?: string[];
        }
      | {
          /** @description Counted from 1; blank lines count */
          line: number;
          problem: components['schemas']['ProblemInput'];
        };
    /** @description One line of the file: a mandate granted elsewhere */
    ImportLine: {
      amount: components['schemas']['Money'];
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      startAt: unknown;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      firstPaymentAt: unknown;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      endAt?: unknown;
      billingAddress: components['schemas']['Address'];
      shippingAddress?: components['schemas']['Address'];
      payer: components['schemas']['PayerIn'];
      /**
       * @default continue
       * @enum {string}
       */
      onExhausted: 'continue' | 'pause' | 'cancel';
      subscriptionId?: string;
      replaces?: string;
      metadata?: components['schemas']['Metadata'];
      paymentId: string;
      consentAmount?: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      lastIncreaseAt?: unknown;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      collectFrom?: unknown;
    };
    /** @description One line of the file: a mandate granted elsewhere */
    ImportLineInput: {
      amount: components['schemas']['MoneyInput'];
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      startAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      firstPaymentAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      endAt?: string;
      billingAddress: components['schemas']['AddressInput'];
      shippingAddress?: components['schemas']['AddressInput'];
      payer: components['schemas']['PayerInInput'];
      /**
       * @default continue
       * @enum {string}
       */
      onExhausted?: 'continue' | 'pause' | 'cancel';
      subscriptionId?: string;
      replaces?: string;
      metadata?: components['schemas']['MetadataInput'];
      paymentId: string;
      consentAmount?: components['schemas']['MoneyInput'];
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      lastIncreaseAt?: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      collectFrom?: string;
    };
    Job:
      | components['schemas']['ReconciliationJob']
      | components['schemas']['BulkJob']
      | components['schemas']['ReplayJob'];
    JobInput:
      | components['schemas']['ReconciliationJobInput']
      | components['schemas']['BulkJobInput']
      | components['schemas']['ReplayJobInput'];
    JobResults: {
      items: (components['schemas']['ReconciliationDifference'] | components['schemas']['BulkResult'])[];
      nextCursor: string | null;
    };
    JobResultsInput: {
      items: (components['schemas']['ReconciliationDifferenceInput'] | components['schemas']['BulkResultInput'])[];
      nextCursor: string | null;
    };
    Key: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: {
        refundPerDay?: components['schemas']['MoneyOut'];
        changePerCall?: components['schemas']['MoneyOut'];
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
    };
    KeyInput: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: {
        refundPerDay?: components['schemas']['MoneyOutInput'];
        changePerCall?: components['schemas']['MoneyOutInput'];
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
    };
    KeyLimits: {
      /** @description What may be refunded with it in 24 hours */
      refundPerDay?: components['schemas']['Money'];
      /** @description By how much a call may change what is collected */
      changePerCall?: components['schemas']['Money'];
    };
    KeyLimitsInput: {
      /** @description What may be refunded with it in 24 hours */
      refundPerDay?: components['schemas']['MoneyInput'];
      /** @description By how much a call may change what is collected */
      changePerCall?: components['schemas']['MoneyInput'];
    };
    Living: {
      /** @enum {string} */
      kind: 'subscription' | 'payment' | 'draft' | 'attempt' | 'order' | 'notice' | 'attention' | 'event' | 'job';
      subscriptionId?: string;
      /** @description Of a one-time payment */
      paymentId?: string;
      /** @description Its status, state, kind or type */
      state: string;
    };
    LivingInput: {
      /** @enum {string} */
      kind: 'subscription' | 'payment' | 'draft' | 'attempt' | 'order' | 'notice' | 'attention' | 'event' | 'job';
      subscriptionId?: string;
      /** @description Of a one-time payment */
      paymentId?: string;
      /** @description Its status, state, kind or type */
      state: string;
    };
    MerchantEvent: {
      type: string;
      /** @description The webhook-id, the same over repetitions and replays */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /** @description Rises by one within one subscription or payment */
      sequence?: number;
      /** @constant */
      schema: 1;
      test: boolean;
      data: {
        [key: string]: unknown;
      };
    };
    MerchantEventInput: {
      type: string;
      /** @description The webhook-id, the same over repetitions and replays */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /** @description Rises by one within one subscription or payment */
      sequence?: number;
      /** @constant */
      schema: 1;
      test: boolean;
      data: {
        [key: string]: unknown;
      };
    };
    MerchantPayment: {
      paymentId: string;
      /** @enum {string} */
      plan: 'SINGLE' | 'EVENT_DEPENDENT';
      amount: components['schemas']['MoneyOut'];
      /** @enum {string} */
      status:
        | 'pending_consent'
        | 'consent_failed'
        | 'authorized'
        | 'partly_captured'
        | 'captured'
        | 'released'
        | 'expired'
        | 'failed'
        | 'refunded';
      consent: {
        /** @enum {string} */
        status: 'pending' | 'successful' | 'failed' | 'cancelled';
        redirectURL?: string;
        checkedAt: string | null;
      };
      authorizations: components['schemas']['Authorization'][];
      captures: components['schemas']['Capture'][];
      refunds: components['schemas']['Refund'][];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      captureBy?: string;
      remaining: components['schemas']['MoneyOut'];
      partialCapture: boolean;
      multipleCapture: boolean;
      timeToCapture: number | null;
      merchantCategoryCode?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      releaseRequestedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      releasedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiredAt?: string;
      /** @description The merchant's own pairs */
      metadata: {
        [key: string]: string;
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      workflowId: string;
    };
    MerchantPaymentInput: {
      paymentId: string;
      /** @enum {string} */
      plan: 'SINGLE' | 'EVENT_DEPENDENT';
      amount: components['schemas']['MoneyOutInput'];
      /** @enum {string} */
      status:
        | 'pending_consent'
        | 'consent_failed'
        | 'authorized'
        | 'partly_captured'
        | 'captured'
        | 'released'
        | 'expired'
        | 'failed'
        | 'refunded';
      consent: {
        /** @enum {string} */
        status: 'pending' | 'successful' | 'failed' | 'cancelled';
        redirectURL?: string;
        checkedAt: string | null;
      };
      authorizations: components['schemas']['AuthorizationInput'][];
      captures: components['schemas']['CaptureInput'][];
      refunds: components['schemas']['RefundInput'][];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      captureBy?: string;
      remaining: components['schemas']['MoneyOutInput'];
      partialCapture: boolean;
      multipleCapture: boolean;
      timeToCapture: number | null;
      merchantCategoryCode?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      releaseRequestedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      releasedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiredAt?: string;
      /** @description The merchant's own pairs */
      metadata: {
        [key: string]: string;
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      workflowId: string;
    };
    /** @description At most 10 pairs, keys of at most 40 and values of at most 200 characters; no personal data */
    Metadata: {
      [key: string]: string;
    };
    /** @description At most 10 pairs, keys of at most 40 and values of at most 200 characters; no personal data */
    MetadataInput: {
      [key: string]: string;
    };
    /** @description Minor units: 1999 is 19.99 EUR */
    Money: {
      value: number;
      /** @constant */
      currency: 'EUR';
    };
    /** @description Minor units: 1999 is 19.99 EUR */
    MoneyInput: {
      value: number;
      /** @constant */
      currency: 'EUR';
    };
    /** @description Minor units: 1999 is 19.99 EUR */
    MoneyOut: {
      value: number;
      /** @constant */
      currency: 'EUR';
    };
    /** @description Minor units: 1999 is 19.99 EUR */
    MoneyOutInput: {
      value: number;
      /** @constant */
      currency: 'EUR';
    };
    NewKey: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: {
        refundPerDay?: components['schemas']['MoneyOut'];
        changePerCall?: components['schemas']['MoneyOut'];
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
      key: string;
    };
    NewKeyInput: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: {
        refundPerDay?: components['schemas']['MoneyOutInput'];
        changePerCall?: components['schemas']['MoneyOutInput'];
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
      key: string;
    };
    NewWebhookSecret: {
      endpointId: string;
      url: string;
      types: string[];
      description: string | null;
      enabled: boolean;
      /** @enum {string} */
      disabledReason?: 'asked_for' | 'gone' | 'failing';
      /**
       * Format: date-time
       * @description In real time; the first failed try since the last delivery
       */
      failingSince?: string;
      /** @description Of the environment: EVENT_WEBHOOK_URL */
      readOnly: boolean;
      /**
       * Format: date-time
       * @description In real time
       */
      createdAt: string;
      /** @description Of the call that created or changed it */
      warnings?: string[];
      secret: string;
    };
    NewWebhookSecretInput: {
      endpointId: string;
      url: string;
      types: string[];
      description: string | null;
      enabled: boolean;
      /** @enum {string} */
      disabledReason?: 'asked_for' | 'gone' | 'failing';
      /**
       * Format: date-time
       * @description In real time; the first failed try since the last delivery
       */
      failingSince?: string;
      /** @description Of the environment: EVENT_WEBHOOK_URL */
      readOnly: boolean;
      /**
       * Format: date-time
       * @description In real time
       */
      createdAt: string;
      /** @description Of the call that created or changed it */
      warnings?: string[];
      secret: string;
    };
    NoteAttention: {
      note: (string & (unknown & unknown)) | null;
    };
    NoteAttentionInput: {
      note: (string & (unknown & unknown)) | null;
    };
    Notice: {
      noticeId: string;
      /** @enum {string} */
      type:
        | 'payment.failed'
        | 'payment.increase_announced'
        | 'subscription.paused'
        | 'subscription.resumed'
        | 'subscription.cancelled'
        | 'subscription.completed'
        | 'consent.failed'
        | 'cycle.missed'
        | 'cycle.failed'
        | 'cycle.unresolved'
        | 'capture.deadline_near';
      /** @enum {string} */
      to: 'payer' | 'merchant';
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'undeliverable';
      subscriptionId: string | null;
      /** @description Of a one-time payment */
      paymentId?: string;
      cycle?: number;
      attempt?: number;
      data: {
        [key: string]: unknown;
      };
      /** @description Tries so far */
      deliveries: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      deliveredAt: string | null;
      channel?: string;
      /** @description Why it counts as delivered */
      evidence?: unknown;
      lastError?: string;
    };
    NoticeInput: {
      noticeId: string;
      /** @enum {string} */
      type:
        | 'payment.failed'
        | 'payment.increase_announced'
        | 'subscription.paused'
        | 'subscription.resumed'
        | 'subscription.cancelled'
        | 'subscription.completed'
        | 'consent.failed'
        | 'cycle.missed'
        | 'cycle.failed'
        | 'cycle.unresolved'
        | 'capture.deadline_near';
      /** @enum {string} */
      to: 'payer' | 'merchant';
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'undeliverable';
      subscriptionId: string | null;
      /** @description Of a one-time payment */
      paymentId?: string;
      cycle?: number;
      attempt?: number;
      data: {
        [key: string]: unknown;
      };
      /** @description Tries so far */
      deliveries: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      deliveredAt: string | null;
      channel?: string;
      /** @description Why it counts as delivered */
      evidence?: unknown;
      lastError?: string;
    };
    OrderReconciliation: {
      /**
       * Format: date-time
       * @description Inclusive
       */
      from: unknown;
      /**
       * Format: date-time
       * @description Exclusive
       */
      to: unknown;
    };
    OrderReconciliationInput: {
      /**
       * Format: date-time
       * @description Inclusive
       */
      from: string;
      /**
       * Format: date-time
       * @description Exclusive
       */
      to: string;
    };
    PayerIn: {
      /** Format: email */
      email?: string;
      reference?: string & (unknown & unknown);
      /**
       * @description In which the payer is written to; en when absent
       * @enum {string}
       */
      language?: 'en' | 'de' | 'fr' | 'nl';
    };
    PayerInInput: {
      /** Format: email */
      email?: string;
      reference?: string & (unknown & unknown);
      /**
       * @description In which the payer is written to; en when absent
       * @enum {string}
       */
      language?: 'en' | 'de' | 'fr' | 'nl';
    };
    PayerRecord: {
      reference: string;
      /** @description Of each subscription and payment, oldest first */
      records: components['schemas']['StoredRecord'][];
      /** @description Answers kept for repeated requests */
      keptAnswers: number;
      /** @description Events for your systems, kept for EVENT_RETENTION_DAYS */
      events: number;
      /** @description What keeps the payer from being erased, the first hundred */
      living: components['schemas']['Living'][];
    };
    PayerRecordInput: {
      reference: string;
      /** @description Of each subscription and payment, oldest first */
      records: components['schemas']['StoredRecordInput'][];
      /** @description Answers kept for repeated requests */
      keptAnswers: number;
      /** @description Events for your systems, kept for EVENT_RETENTION_DAYS */
      events: number;
      /** @description What keeps the payer from being erased, the first hundred */
      living: components['schemas']['LivingInput'][];
    };
    PendingAmountChange: {
      amount: components['schemas']['MoneyOut'];
      previousAmount: components['schemas']['MoneyOut'];
      fromCycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      effectiveAt: string;
      /** @enum {string} */
      kind: 'increase' | 'reduction' | 'unchanged';
      countsAsIncrease: boolean;
      /** @enum {string} */
      payerNotice: 'not_needed' | 'due' | 'sending' | 'delivered' | 'undeliverable';
    };
    PendingAmountChangeInput: {
      amount: components['schemas']['MoneyOutInput'];
      previousAmount: components['schemas']['MoneyOutInput'];
      fromCycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      effectiveAt: string;
      /** @enum {string} */
      kind: 'increase' | 'reduction' | 'unchanged';
      countsAsIncrease: boolean;
      /** @enum {string} */
      payerNotice: 'not_needed' | 'due' | 'sending' | 'delivered' | 'undeliverable';
    };
    /** @description RFC 9457 problem details */
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      /** @enum {string} */
      code:
        | 'invalid_request'
        | 'unauthenticated'
        | 'forbidden'
        | 'limit_exceeded'
        | 'csrf_failed'
        | 'not_found'
        | 'not_acceptable'
        | 'state_conflict'
        | 'amount_change_not_allowed'
        | 'retry_not_allowed'
        | 'refund_not_allowed'
        | 'capture_not_allowed'
        | 'token_used'
        | 'selection_changed'
        | 'approval_required'
        | 'approval_rejected'
        | 'approval_expired'
        | 'approval_used'
        | 'approval_mismatch'
        | 'halted'
        | 'idempotency_in_progress'
        | 'request_timeout'
        | 'cursor_expired'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'idempotency_key_reused'
        | 'rate_limited'
        | 'internal'
        | 'payment_service_unavailable'
        | 'not_ready';
      errors?: {
        path: string;
        message: string;
      }[];
    } & {
      [key: string]: unknown;
    };
    /** @description RFC 9457 problem details */
    ProblemInput: {
      type: string;
      title: string;
      status: number;
      detail: string;
      /** @enum {string} */
      code:
        | 'invalid_request'
        | 'unauthenticated'
        | 'forbidden'
        | 'limit_exceeded'
        | 'csrf_failed'
        | 'not_found'
        | 'not_acceptable'
        | 'state_conflict'
        | 'amount_change_not_allowed'
        | 'retry_not_allowed'
        | 'refund_not_allowed'
        | 'capture_not_allowed'
        | 'token_used'
        | 'selection_changed'
        | 'approval_required'
        | 'approval_rejected'
        | 'approval_expired'
        | 'approval_used'
        | 'approval_mismatch'
        | 'halted'
        | 'idempotency_in_progress'
        | 'request_timeout'
        | 'cursor_expired'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'idempotency_key_reused'
        | 'rate_limited'
        | 'internal'
        | 'payment_service_unavailable'
        | 'not_ready';
      errors?: {
        path: string;
        message: string;
      }[];
    } & {
      [key: string]: unknown;
    };
    QueuedDelivery: {
      eventId: string;
      endpointId: string;
      deliveryId: number;
    };
    QueuedDeliveryInput: {
      eventId: string;
      endpointId: string;
      deliveryId: number;
    };
    Readiness: {
      /** @constant */
      status: 'ready';
      /** @description Whether all sending is halted; left out where it cannot be read */
      halted?: boolean;
      checks: {
        name: string;
        /** @enum {string} */
        status: 'ok' | 'failed';
        latencyMs: number;
        /**
         * @description The circuit breaker before it
         * @enum {string}
         */
        circuit?: 'closed' | 'open' | 'half_open';
      }[];
    };
    ReadinessInput: {
      /** @constant */
      status: 'ready';
      /** @description Whether all sending is halted; left out where it cannot be read */
      halted?: boolean;
      checks: {
        name: string;
        /** @enum {string} */
        status: 'ok' | 'failed';
        latencyMs: number;
        /**
         * @description The circuit breaker before it
         * @enum {string}
         */
        circuit?: 'closed' | 'open' | 'half_open';
      }[];
    };
    /** @description A call of this API, as it would be sent */
    RecommendedCall: {
      /** @enum {string} */
      method: 'POST' | 'PATCH';
      path: string;
      body: {
        [key: string]: unknown;
      };
    };
    /** @description A call of this API, as it would be sent */
    RecommendedCallInput: {
      /** @enum {string} */
      method: 'POST' | 'PATCH';
      path: string;
      body: {
        [key: string]: unknown;
      };
    };
    ReconciliationDifference: {
      /** @enum {string} */
      kind:
        | 'authorization_unknown'
        | 'authorization_missing'
        | 'authorization_state'
        | 'authorization_amount'
        | 'debit_unknown'
        | 'debit_missing'
        | 'debit_state'
        | 'debit_amount'
        | 'refund_unknown'
        | 'refund_missing'
        | 'refund_state'
        | 'refund_amount'
        | 'not_compared';
      /** @description In plain words */
      text: string;
      /** @description Left out for a one-time payment */
      subscriptionId?: string;
      paymentId: string;
      /** @description Left out where the ledger ties it to none */
      cycle?: number;
      authorizationId?: string;
      captureId?: string;
      /** @description The ledger's own id of a refund */
      refundId?: string;
      /** @description The service's id of a refund */
      serviceRefundId?: string;
      ledger?: components['schemas']['ReconciliationSide'];
      service?: components['schemas']['ReconciliationSide'];
    };
    ReconciliationDifferenceInput: {
      /** @enum {string} */
      kind:
        | 'authorization_unknown'
        | 'authorization_missing'
        | 'authorization_state'
        | 'authorization_amount'
        | 'debit_unknown'
        | 'debit_missing'
        | 'debit_state'
        | 'debit_amount'
        | 'refund_unknown'
        | 'refund_missing'
        | 'refund_state'
        | 'refund_amount'
        | 'not_compared';
      /** @description In plain words */
      text: string;
      /** @description Left out for a one-time payment */
      subscriptionId?: string;
      paymentId: string;
      /** @description Left out where the ledger ties it to none */
      cycle?: number;
      authorizationId?: string;
      captureId?: string;
      /** @description The ledger's own id of a refund */
      refundId?: string;
      /** @description The service's id of a refund */
      serviceRefundId?: string;
      ledger?: components['schemas']['ReconciliationSideInput'];
      service?: components['schemas']['ReconciliationSideInput'];
    };
    ReconciliationJob: {
      jobId: string;
      /** @constant */
      kind: 'reconciliation';
      /** @enum {string} */
      state: 'running' | 'finished' | 'failed' | 'stopped';
      /** @description Payments compared so far */
      done: number;
      /** @description Null until it is known: while the job runs */
      total: number | null;
      /** @description Payments of which the service gave no answer that could be read */
      refused: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @description Found so far */
      differences: number;
      /** @description An API key's name, `dueday` for the daily run, or `command line` */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
      /** @description Why it failed */
      reason?: string;
    };
    ReconciliationJobInput: {
      jobId: string;
      /** @constant */
      kind: 'reconciliation';
      /** @enum {string} */
      state: 'running' | 'finished' | 'failed' | 'stopped';
      /** @description Payments compared so far */
      done: number;
      /** @description Null until it is known: while the job runs */
      total: number | null;
      /** @description Payments of which the service gave no answer that could be read */
      refused: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @description Found so far */
      differences: number;
      /** @description An API key's name, `dueday` for the daily run, or `command line` */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
      /** @description Why it failed */
      reason?: string;
    };
    ReconciliationReport: {
      items: components['schemas']['ReconciliationDifference'][];
      nextCursor: string | null;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @description In business time: all that was in the span by then has been compared. Null where a part of it never was */
      comparedAt: string | null;
      /** @description How many payments were compared, by all comparisons that are told of */
      payments: number;
      differences: number;
      /** @description Which comparison tells of which part of the span */
      compared: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        from: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        to: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        comparedAt: string;
        jobId: string;
      }[];
      /** @description Parts of the span that no comparison tells of */
      notCompared: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        from: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        to: string;
      }[];
    };
    ReconciliationReportInput: {
      items: components['schemas']['ReconciliationDifferenceInput'][];
      nextCursor: string | null;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @description In business time: all that was in the span by then has been compared. Null where a part of it never was */
      comparedAt: string | null;
      /** @description How many payments were compared, by all comparisons that are told of */
      payments: number;
      differences: number;
      /** @description Which comparison tells of which part of the span */
      compared: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        from: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        to: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        comparedAt: string;
        jobId: string;
      }[];
      /** @description Parts of the span that no comparison tells of */
      notCompared: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        from: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        to: string;
      }[];
    };
    /** @description One side's word: the ledger's own state, or the service's */
    ReconciliationSide: {
      state: string;
      amount: components['schemas']['MoneyOut'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
    };
    /** @description One side's word: the ledger's own state, or the service's */
    ReconciliationSideInput: {
      state: string;
      amount: components['schemas']['MoneyOutInput'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
    };
    RecoveryReport: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @enum {string} */
      by: 'attempt' | 'detail' | 'weekday' | 'hour' | 'repetition';
      items: {
        /** @description Null where there is none */
        key: string | null;
        /** @description Collected by the first attempt */
        firstAttempt: components['schemas']['Figure'];
        /** @description Refused at first, and collected by a retry */
        recovered: components['schemas']['Figure'];
        /** @description Refused, and not collected */
        lost: components['schemas']['Figure'];
        /** @description Refused, and not over */
        open: components['schemas']['Figure'];
        /** @description From the first refusal to the debit; null where nothing was recovered */
        hoursToRecover: {
          /** @description Hours, to the hundredth */
          median: number;
          /** @description Hours, to the hundredth */
          mean: number;
        } | null;
      }[];
      total: {
        /** @description Collected by the first attempt */
        firstAttempt: components['schemas']['Figure'];
        /** @description Refused at first, and collected by a retry */
        recovered: components['schemas']['Figure'];
        /** @description Refused, and not collected */
        lost: components['schemas']['Figure'];
        /** @description Refused, and not over */
        open: components['schemas']['Figure'];
        /** @description From the first refusal to the debit; null where nothing was recovered */
        hoursToRecover: {
          /** @description Hours, to the hundredth */
          median: number;
          /** @description Hours, to the hundredth */
          mean: number;
        } | null;
      };
      nextCursor: null;
    };
    RecoveryReportInput: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @enum {string} */
      by: 'attempt' | 'detail' | 'weekday' | 'hour' | 'repetition';
      items: {
        /** @description Null where there is none */
        key: string | null;
        /** @description Collected by the first attempt */
        firstAttempt: components['schemas']['FigureInput'];
        /** @description Refused at first, and collected by a retry */
        recovered: components['schemas']['FigureInput'];
        /** @description Refused, and not collected */
        lost: components['schemas']['FigureInput'];
        /** @description Refused, and not over */
        open: components['schemas']['FigureInput'];
        /** @description From the first refusal to the debit; null where nothing was recovered */
        hoursToRecover: {
          /** @description Hours, to the hundredth */
          median: number;
          /** @description Hours, to the hundredth */
          mean: number;
        } | null;
      }[];
      total: {
        /** @description Collected by the first attempt */
        firstAttempt: components['schemas']['FigureInput'];
        /** @description Refused at first, and collected by a retry */
        recovered: components['schemas']['FigureInput'];
        /** @description Refused, and not collected */
        lost: components['schemas']['FigureInput'];
        /** @description Refused, and not over */
        open: components['schemas']['FigureInput'];
        /** @description From the first refusal to the debit; null where nothing was recovered */
        hoursToRecover: {
          /** @description Hours, to the hundredth */
          median: number;
          /** @description Hours, to the hundredth */
          mean: number;
        } | null;
      };
      nextCursor: null;
    };
    Refund: {
      refundId: string;
      cycle?: number;
      amount: components['schemas']['MoneyOut'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      reason?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      captureId: string;
      detail?: string;
      description?: string;
    };
    RefundInput: {
      refundId: string;
      cycle?: number;
      amount: components['schemas']['MoneyOutInput'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      reason?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      captureId: string;
      detail?: string;
      description?: string;
    };
    /** @description Events of a span of business time */
    ReplayEvents: {
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      since: unknown;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      until?: unknown;
      types?: string[];
      /** @default false */
      onlyFailed: boolean;
    };
    /** @description Events of a span of business time */
    ReplayEventsInput: {
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      since: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      until?: string;
      types?: string[];
      /** @default false */
      onlyFailed?: boolean;
    };
    ReplayJob: {
      jobId: string;
      /** @constant */
      kind: 'replay';
      /** @enum {string} */
      state: 'running' | 'finished' | 'stopped';
      /** @description Events delivered or given up so far */
      done: number;
      total: number;
      /** @description Of `done`, events that had not been delivered before: these go first */
      newDone: number;
      /** @description The same of `total` */
      newTotal: number;
      /** @description Events given up: dead letters */
      refused: number;
      endpointId: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      until?: string;
      /** @description An API key's name */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
    };
    ReplayJobInput: {
      jobId: string;
      /** @constant */
      kind: 'replay';
      /** @enum {string} */
      state: 'running' | 'finished' | 'stopped';
      /** @description Events delivered or given up so far */
      done: number;
      total: number;
      /** @description Of `done`, events that had not been delivered before: these go first */
      newDone: number;
      /** @description The same of `total` */
      newTotal: number;
      /** @description Events given up: dead letters */
      refused: number;
      endpointId: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      until?: string;
      /** @description An API key's name */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
    };
    ResolveCapture: {
      /** @enum {string} */
      outcome: 'successful' | 'failed';
      evidence: string & (unknown & unknown);
      /** @description The service's own id of it: with `successful`, and only there */
      captureId?: string & (unknown & unknown);
    };
    ResolveCaptureInput: {
      /** @enum {string} */
      outcome: 'successful' | 'failed';
      evidence: string & (unknown & unknown);
      /** @description The service's own id of it: with `successful`, and only there */
      captureId?: string & (unknown & unknown);
    };
    ResolveCycle: {
      /** @enum {string} */
      outcome: 'collected' | 'failed';
      evidence: string & (unknown & unknown);
      authorizationId?: string & (unknown & unknown);
      captureId?: string & (unknown & unknown);
      /** @description With outcome failed, of an adopted debit: the cycle before, which it paid */
      paidCycle?: number;
    };
    ResolveCycleInput: {
      /** @enum {string} */
      outcome: 'collected' | 'failed';
      evidence: string & (unknown & unknown);
      authorizationId?: string & (unknown & unknown);
      captureId?: string & (unknown & unknown);
      /** @description With outcome failed, of an adopted debit: the cycle before, which it paid */
      paidCycle?: number;
    };
    ResolveRefund: {
      /** @enum {string} */
      outcome: 'successful' | 'failed';
      evidence: string & (unknown & unknown);
      /** @description The service's own id of it: with `successful`, and only there */
      serviceRefundId?: string & (unknown & unknown);
    };
    ResolveRefundInput: {
      /** @enum {string} */
      outcome: 'successful' | 'failed';
      evidence: string & (unknown & unknown);
      /** @description The service's own id of it: with `successful`, and only there */
      serviceRefundId?: string & (unknown & unknown);
    };
    RetryAdvice: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @description Cycles whose first attempt was refused as retryable: the whole sample */
      refused: components['schemas']['Figure'];
      items: {
        /** @description After the first refusal */
        offsetHours: number;
        /** @description A retry had gone through by then */
        met: components['schemas']['Figure'];
        /** @description A retry was still refused then or later */
        refused: components['schemas']['Figure'];
        /** @description No attempt at a time that tells */
        unknown: components['schemas']['Figure'];
        /** @description Retries made within three hours of it */
        tried: number;
        /** @description Those of them that went through */
        collected: number;
      }[];
      nextCursor: null;
    };
    RetryAdviceInput: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @description Cycles whose first attempt was refused as retryable: the whole sample */
      refused: components['schemas']['FigureInput'];
      items: {
        /** @description After the first refusal */
        offsetHours: number;
        /** @description A retry had gone through by then */
        met: components['schemas']['FigureInput'];
        /** @description A retry was still refused then or later */
        refused: components['schemas']['FigureInput'];
        /** @description No attempt at a time that tells */
        unknown: components['schemas']['FigureInput'];
        /** @description Retries made within three hours of it */
        tried: number;
        /** @description Those of them that went through */
        collected: number;
      }[];
      nextCursor: null;
    };
    RotateKey: {
      /**
       * @description For which the old key is still good
       * @default 24
       */
      overlapHours: number;
      reason?: string & (unknown & unknown);
    };
    RotateKeyInput: {
      /**
       * @description For which the old key is still good
       * @default 24
       */
      overlapHours?: number;
      reason?: string & (unknown & unknown);
    };
    Rule: {
      decision: number;
      sentence: string;
      /** @enum {string} */
      source: 'reference' | 'dueday';
    };
    RuleInput: {
      decision: number;
      sentence: string;
      /** @enum {string} */
      source: 'reference' | 'dueday';
    };
    ScheduledCycle: {
      cycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      amount: components['schemas']['MoneyOut'];
    };
    ScheduledCycleInput: {
      cycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      amount: components['schemas']['MoneyOutInput'];
    };
    SelectedSubscription: {
      subscriptionId: string;
      /** @enum {string} */
      status: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
      /** @enum {string} */
      standing: 'needs_attention' | 'dunning' | 'past_due' | 'good';
      amount: components['schemas']['MoneyOut'];
      nextDueAt: string | null;
    };
    SelectedSubscriptionInput: {
      subscriptionId: string;
      /** @enum {string} */
      status: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
      /** @enum {string} */
      standing: 'needs_attention' | 'dunning' | 'past_due' | 'good';
      amount: components['schemas']['MoneyOutInput'];
      nextDueAt: string | null;
    };
    Session: {
      /** @description Of the key: the trail names it with what is done in the session */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      /** @description Goes back as X-CSRF-Token with every write */
      csrfToken: string;
      /**
       * Format: date-time
       * @description Real time; put off by what a person asks
       */
      idleEndsAt: string;
      /**
       * Format: date-time
       * @description Real time
       */
      endsAt: string;
      /** @description Business time */
      clock: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        now: string;
        /** @description Business seconds a second */
        speed: number;
        isTest: boolean;
      };
      /** @description Whether Event Dependent payments may be refunded */
      eventDependentRefunds: boolean;
      /** @description Of Temporal's Web UI; a workflowId is added to it */
      workflowsUrl?: string;
    };
    SessionInput: {
      /** @description Of the key: the trail names it with what is done in the session */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      /** @description Goes back as X-CSRF-Token with every write */
      csrfToken: string;
      /**
       * Format: date-time
       * @description Real time; put off by what a person asks
       */
      idleEndsAt: string;
      /**
       * Format: date-time
       * @description Real time
       */
      endsAt: string;
      /** @description Business time */
      clock: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        now: string;
        /** @description Business seconds a second */
        speed: number;
        isTest: boolean;
      };
      /** @description Whether Event Dependent payments may be refunded */
      eventDependentRefunds: boolean;
      /** @description Of Temporal's Web UI; a workflowId is added to it */
      workflowsUrl?: string;
    };
    StoredAddress: {
      name: string;
      street: string;
      postalCode: string;
      city: string;
      country: string;
      email?: string;
    };
    StoredAddressInput: {
      name: string;
      street: string;
      postalCode: string;
      city: string;
      country: string;
      email?: string;
    };
    StoredRecord: {
      /** @enum {string} */
      kind: 'subscription' | 'payment';
      subscriptionId?: string;
      /** @description Left out where the service has named none yet */
      paymentId?: string;
      /** @description draft before the service has answered */
      status: string;
      name?: string;
      email?: string;
      /** @enum {string} */
      language?: 'en' | 'de' | 'fr' | 'nl';
      billingAddress?: {
        name: string;
        street: string;
        postalCode: string;
        city: string;
        country: string;
        email?: string;
      };
      shippingAddress?: {
        name: string;
        street: string;
        postalCode: string;
        city: string;
        country: string;
        email?: string;
      };
      returnURL?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
    };
    StoredRecordInput: {
      /** @enum {string} */
      kind: 'subscription' | 'payment';
      subscriptionId?: string;
      /** @description Left out where the service has named none yet */
      paymentId?: string;
      /** @description draft before the service has answered */
      status: string;
      name?: string;
      email?: string;
      /** @enum {string} */
      language?: 'en' | 'de' | 'fr' | 'nl';
      billingAddress?: components['schemas']['StoredAddressInput'];
      shippingAddress?: components['schemas']['StoredAddressInput'];
      returnURL?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
    };
    Subscription: {
      subscriptionId: string;
      paymentId: string | null;
      /** @enum {string} */
      status: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
      /** @enum {string} */
      standing: 'needs_attention' | 'dunning' | 'past_due' | 'good';
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      amount: components['schemas']['MoneyOut'];
      consentAmount: components['schemas']['MoneyOut'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      startAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      firstPaymentAt: string;
      endAt: string | null;
      nextDueAt: string | null;
      cyclesCollected: number;
      consent: {
        /** @enum {string} */
        status: 'pending' | 'successful' | 'failed' | 'cancelled';
        redirectURL?: string;
        checkedAt: string | null;
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      pausedUntil?: string;
      /**
       * @description It is being cancelled: no new attempt is made, and the service has not confirmed yet
       * @constant
       */
      cancelling?: true;
      /** @enum {string} */
      cancelledBy?: 'payer' | 'merchant';
      pendingAmountChange?: components['schemas']['PendingAmountChange'];
      replaces?: string;
      replacedBy?: string;
      payer: {
        /** @description Masked (a***@example.com) for viewers, and for keys with scopes, unless payers:read is among these */
        email?: string;
        reference?: string;
        /** @enum {string} */
        language?: 'en' | 'de' | 'fr' | 'nl';
      };
      /** @description The merchant's own pairs */
      metadata: {
        [key: string]: string;
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      workflowId: string;
      warnings?: string[];
    };
    SubscriptionInput: {
      subscriptionId: string;
      paymentId: string | null;
      /** @enum {string} */
      status: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
      /** @enum {string} */
      standing: 'needs_attention' | 'dunning' | 'past_due' | 'good';
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      amount: components['schemas']['MoneyOutInput'];
      consentAmount: components['schemas']['MoneyOutInput'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      startAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      firstPaymentAt: string;
      endAt: string | null;
      nextDueAt: string | null;
      cyclesCollected: number;
      consent: {
        /** @enum {string} */
        status: 'pending' | 'successful' | 'failed' | 'cancelled';
        redirectURL?: string;
        checkedAt: string | null;
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      pausedUntil?: string;
      /**
       * @description It is being cancelled: no new attempt is made, and the service has not confirmed yet
       * @constant
       */
      cancelling?: true;
      /** @enum {string} */
      cancelledBy?: 'payer' | 'merchant';
      pendingAmountChange?: components['schemas']['PendingAmountChangeInput'];
      replaces?: string;
      replacedBy?: string;
      payer: {
        /** @description Masked (a***@example.com) for viewers, and for keys with scopes, unless payers:read is among these */
        email?: string;
        reference?: string;
        /** @enum {string} */
        language?: 'en' | 'de' | 'fr' | 'nl';
      };
      /** @description The merchant's own pairs */
      metadata: {
        [key: string]: string;
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      workflowId: string;
      warnings?: string[];
    };
    ToldByPerson: {
      /** @description How the payer was told, such as phone */
      channel: string & (unknown & unknown);
      /**
       * Format: date-time
       * @description After what is told of, and not ahead of now
       */
      toldAt: unknown;
      /** @description For the trail; without personal data */
      evidence: string & (unknown & unknown);
    };
    ToldByPersonInput: {
      /** @description How the payer was told, such as phone */
      channel: string & (unknown & unknown);
      /**
       * Format: date-time
       * @description After what is told of, and not ahead of now
       */
      toldAt: string;
      /** @description For the trail; without personal data */
      evidence: string & (unknown & unknown);
    };
    Transaction: {
      transactionId: string;
      /** @enum {string} */
      type: 'debit' | 'capture' | 'refund';
      /**
       * @description What is not known yet is pending
       * @enum {string}
       */
      status: 'pending' | 'successful' | 'failed';
      amount: components['schemas']['MoneyOut'];
      bookedAt: string | null;
      /**
       * Format: date-time
       * @description When it began; the list is in this order
       */
      createdAt: string;
      /** @enum {string} */
      plan: 'SUBSCRIPTION' | 'SINGLE' | 'EVENT_DEPENDENT';
      subscriptionId?: string;
      paymentId: string;
      cycle?: number;
      attempt?: number;
      authorizationId?: string;
      /** @description Of a refund: what it gives back */
      captureId?: string;
      refundId?: string;
      /** @description The service's id of a refund */
      serviceRefundId?: string;
      /** @description Of a capture that was ordered here */
      orderId?: string;
      /** @description Why it failed */
      detail?: string;
      /** @description The payer's */
      reference?: string;
      /** @description Of the subscription or the payment */
      metadata: {
        [key: string]: string;
      };
    };
    TransactionInput: {
      transactionId: string;
      /** @enum {string} */
      type: 'debit' | 'capture' | 'refund';
      /**
       * @description What is not known yet is pending
       * @enum {string}
       */
      status: 'pending' | 'successful' | 'failed';
      amount: components['schemas']['MoneyOutInput'];
      bookedAt: string | null;
      /**
       * Format: date-time
       * @description When it began; the list is in this order
       */
      createdAt: string;
      /** @enum {string} */
      plan: 'SUBSCRIPTION' | 'SINGLE' | 'EVENT_DEPENDENT';
      subscriptionId?: string;
      paymentId: string;
      cycle?: number;
      attempt?: number;
      authorizationId?: string;
      /** @description Of a refund: what it gives back */
      captureId?: string;
      refundId?: string;
      /** @description The service's id of a refund */
      serviceRefundId?: string;
      /** @description Of a capture that was ordered here */
      orderId?: string;
      /** @description Why it failed */
      detail?: string;
      /** @description The payer's */
      reference?: string;
      /** @description Of the subscription or the payment */
      metadata: {
        [key: string]: string;
      };
    };
    /** @description All instants are real time */
    WebhookDelivery: {
      deliveryId: number;
      eventId: string;
      type: string;
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'dead';
      /** @description A sample, which no list of events has and nothing sends again */
      test: boolean;
      /** @description A replay or a resend */
      again: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      endedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextTryAt?: string;
      /** @description Why it is not sent yet: its endpoint is disabled, another event of its subject comes first, or its time has not come; left out if it is due */
      waitingFor?:
        | {
            /** @constant */
            kind: 'endpoint';
          }
        | {
            /** @constant */
            kind: 'event';
            eventId: string;
          }
        | {
            /** @constant */
            kind: 'time';
            /**
             * Format: date-time
             * @description YYYY-MM-DDThh:mm:ss.sssZ
             */
            until: string;
          };
      tries: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        at: string;
        status: number | null;
        ms: number;
        error: string | null;
        /** @description The first 2 kB, for 7 days; for admins */
        answer?: string | null;
      }[];
    };
    /** @description All instants are real time */
    WebhookDeliveryInput: {
      deliveryId: number;
      eventId: string;
      type: string;
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'dead';
      /** @description A sample, which no list of events has and nothing sends again */
      test: boolean;
      /** @description A replay or a resend */
      again: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      endedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextTryAt?: string;
      /** @description Why it is not sent yet: its endpoint is disabled, another event of its subject comes first, or its time has not come; left out if it is due */
      waitingFor?:
        | {
            /** @constant */
            kind: 'endpoint';
          }
        | {
            /** @constant */
            kind: 'event';
            eventId: string;
          }
        | {
            /** @constant */
            kind: 'time';
            /**
             * Format: date-time
             * @description YYYY-MM-DDThh:mm:ss.sssZ
             */
            until: string;
          };
      tries: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        at: string;
        status: number | null;
        ms: number;
        error: string | null;
        /** @description The first 2 kB, for 7 days; for admins */
        answer?: string | null;
      }[];
    };
    WebhookEndpoint: {
      endpointId: string;
      url: string;
      types: string[];
      description: string | null;
      enabled: boolean;
      /** @enum {string} */
      disabledReason?: 'asked_for' | 'gone' | 'failing';
      /**
       * Format: date-time
       * @description In real time; the first failed try since the last delivery
       */
      failingSince?: string;
      /** @description Of the environment: EVENT_WEBHOOK_URL */
      readOnly: boolean;
      /**
       * Format: date-time
       * @description In real time
       */
      createdAt: string;
      /** @description Of the call that created or changed it */
      warnings?: string[];
    };
    WebhookEndpointInput: {
      endpointId: string;
      url: string;
      types: string[];
      description: string | null;
      enabled: boolean;
      /** @enum {string} */
      disabledReason?: 'asked_for' | 'gone' | 'failing';
      /**
       * Format: date-time
       * @description In real time; the first failed try since the last delivery
       */
      failingSince?: string;
      /** @description Of the environment: EVENT_WEBHOOK_URL */
      readOnly: boolean;
      /**
       * Format: date-time
       * @description In real time
       */
      createdAt: string;
      /** @description Of the call that created or changed it */
      warnings?: string[];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @enum {string} */
            status: 'ok';
          };
        };
      };
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
      /** @description Not done, or not known to be */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listSubscriptions: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description Inclusive */
        createdFrom?: string;
        /** @description Exclusive */
        createdTo?: string;
        /** @description Inclusive */
        dueFrom?: string;
        /** @description Exclusive */
        dueTo?: string;
        metadata?: components['schemas']['MetadataInput'];
        q?: string & (unknown & unknown);
        /** @description The latest first where there is a hyphen. By dueAt, only those that have one are listed */
        sort?: '-createdAt' | 'createdAt' | '-dueAt' | 'dueAt';
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /** @description ISO 8601 with date, time of day and offset */
        dueBefore?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Subscription'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSubscriptionInput'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changeSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeMetadataInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listCycles: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Cycle'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getSchedule: {
    parameters: {
      query?: {
        count?: number;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['ScheduledCycle'][];
            nextCursor: null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Event'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resumeSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          reason?: string & (unknown & unknown);
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  acknowledgeSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  restartSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  pauseSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          /**
           * Format: date-time
           * @description ISO 8601 with date, time of day and offset
           */
          until?: string;
          reason?: string & (unknown & unknown);
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  cancelSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          reason?: string & (unknown & unknown);
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  checkConsent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never> | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changeAmount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeAmountInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AmountChange'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  withdrawAmountChange: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  skipCycle: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        n: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          reason?: string & (unknown & unknown);
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  retryCycle: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        n: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resolveCycle: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        n: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResolveCycleInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listPayments: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description Inclusive */
        createdFrom?: string;
        /** @description Exclusive */
        createdTo?: string;
        /** @description Inclusive */
        dueFrom?: string;
        /** @description Exclusive */
        dueTo?: string;
        metadata?: components['schemas']['MetadataInput'];
        q?: string & (unknown & unknown);
        /** @description The latest first where there is a hyphen. By dueAt, only those that have one are listed */
        sort?: '-createdAt' | 'createdAt' | '-dueAt' | 'dueAt';
        status?:
          | 'pending_consent'
          | 'consent_failed'
          | 'authorized'
          | 'partly_captured'
          | 'captured'
          | 'released'
          | 'expired'
          | 'failed'
          | 'refunded';
        plan?: 'SINGLE' | 'EVENT_DEPENDENT';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['MerchantPayment'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createPayment: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePaymentInput'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getPayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changePayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeMetadataInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listPaymentEvents: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Event'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  capturePayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCaptureInput'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Capture'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  releasePayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          reason?: string & (unknown & unknown);
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  checkPayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never> | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  restartPayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  refundCycle: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
        n: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRefundInput'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  refundPayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRefundInput'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resolveCapture: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        orderId: string & (unknown & unknown);
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResolveCaptureInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Capture'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resolveRefund: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        refundId: string & (unknown & unknown);
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResolveRefundInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listAudit: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        subscriptionId?: string;
        paymentId?: string;
        actor?: string & (unknown & unknown);
        keyId?: string;
        type?: string & (unknown & unknown);
        /** @description ISO 8601 with date, time of day and offset */
        from?: string;
        /** @description ISO 8601 with date, time of day and offset */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['AuditEntry'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  redactAuditEntry: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditEntry'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listTransactions: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description Inclusive; by `bookedAt`, and by `createdAt` of what is not booked */
        from?: string;
        /** @description Exclusive; as `from` */
        to?: string;
        type?: 'debit' | 'capture' | 'refund';
        status?: 'pending' | 'successful' | 'failed';
        subscriptionId?: string;
        paymentId?: string;
        /** @description The payer's */
        reference?: string & (unknown & unknown);
        /** @description The transactionId behind which the list goes on, in place of a cursor */
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page; with Accept: text/csv everything, streamed */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Transaction'][];
            nextCursor: string | null;
          };
          'text/csv': string;
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listMerchantEvents: {
    parameters: {
      query?: {
        /** @description The nextCursor of a page before */
        after?: string;
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; several are separated by commas */
        types?: string;
        subscriptionId?: string;
        paymentId?: string;
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['MerchantEvent'][];
            /** @description Where to go on, also where there is nothing new */
            nextCursor: string;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listWebhookEndpoints: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['WebhookEndpoint'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookEndpointInput'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewWebhookSecret'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changeWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeWebhookEndpointInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          /** @default 24 */
          overlapHours?: number;
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewWebhookSecret'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        state?: 'pending' | 'delivered' | 'dead';
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; several are separated by commas */
        type?: string;
        status?: number;
        /** @description ISO 8601 with date, time of day and offset */
        from?: string;
        /** @description ISO 8601 with date, time of day and offset */
        to?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['WebhookDelivery'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  replayEvents: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayEventsInput'];
      };
    };
    responses: {
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayJob'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  testWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          /**
           * @default endpoint.test
           * @enum {string}
           */
          type?:
            | 'subscription.created'
            | 'subscription.activated'
            | 'subscription.paused'
            | 'subscription.resumed'
            | 'subscription.cancelled'
            | 'subscription.completed'
            | 'subscription.replaced'
            | 'consent.failed'
            | 'cycle.upcoming'
            | 'cycle.collected'
            | 'cycle.dunning'
            | 'cycle.failed'
            | 'cycle.skipped'
            | 'cycle.missed'
            | 'cycle.unresolved'
            | 'cycle.resolved'
            | 'amount_change.accepted'
            | 'amount_change.withdrawn'
            | 'amount_change.dropped'
            | 'amount_change.applied'
            | 'refund.successful'
            | 'refund.failed'
            | 'refund.unresolved'
            | 'payment.authorized'
            | 'payment.captured'
            | 'payment.released'
            | 'payment.expired'
            | 'payment.failed'
            | 'capture.successful'
            | 'capture.failed'
            | 'capture.unresolved'
            | 'capture.deadline_near'
            | 'notice.delivered'
            | 'notice.undeliverable'
            | 'attention.opened'
            | 'attention.cleared'
            | 'reconciliation.difference'
            | 'audit.head'
            | 'endpoint.disabled'
            | 'endpoint.recovered'
            | 'endpoint.test';
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueuedDelivery'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resendEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          endpointId: string;
        };
      };
    };
    responses: {
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueuedDelivery'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  streamEvents: {
    parameters: {
      query?: {
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; several are separated by commas */
        types?: string;
        subscriptionId?: string;
        paymentId?: string;
        /** @description Adds `event: change` for every write, with the id of its subject alone, and `event: installation_change` with `{}` for one that is of no subscription and no payment, each at most once a second */
        changes?: 'true' | 'false';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Each event as `id`, `event` and `data`; a comment where nothing else comes for 15 s */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listAttention: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        kind?: string & (unknown & unknown);
        /** @description Empty: items without an assignee */
        assignee?: string;
        /** @description The largest first where there is a hyphen; without a deadline, last */
        sort?: '-since' | 'since' | 'deadline' | '-amount';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Attention'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  assignAttention: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        item: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AssignAttentionInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  noteAttention: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        item: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NoteAttentionInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  closeAttention: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        item: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CloseAttentionInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listNotices: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        state?: 'pending' | 'delivered' | 'undeliverable';
        type?:
          | 'payment.failed'
          | 'payment.increase_announced'
          | 'subscription.paused'
          | 'subscription.resumed'
          | 'subscription.cancelled'
          | 'subscription.completed'
          | 'consent.failed'
          | 'cycle.missed'
          | 'cycle.failed'
          | 'cycle.unresolved'
          | 'capture.deadline_near';
        subscriptionId?: string;
        /** @description Of a one-time payment */
        paymentId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Notice'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resendNotice: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': Record<string, never> | null;
      };
    };
    responses: {
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Notice'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  recordTold: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ToldByPersonInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Notice'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changePayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePayerInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getPayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        reference: string & (unknown & unknown);
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PayerRecord'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  erasePayer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        reference: string & (unknown & unknown);
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErasedPayer'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportCollections: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive; at most 3660 days after `from` */
        to: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CollectionsReport'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listDeadlines: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Deadline'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportForecast: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive; at most 366 days after `from` */
        to: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ForecastReport'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportRecovery: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive; at most 3660 days after `from` */
        to: string;
        /** @description The last attempt's number, its UTC weekday (1 is Monday) or hour; the first refusal's detail; the repetition */
        by?: 'attempt' | 'detail' | 'weekday' | 'hour' | 'repetition';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecoveryReport'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  adviseRetries: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive; at most 3660 days after `from` */
        to: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RetryAdvice'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportReconciliation: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive */
        to: string;
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReconciliationReport'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  orderReconciliation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrderReconciliationInput'];
      };
    };
    responses: {
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  bulk: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BulkInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BulkDryRun'];
        };
      };
      /** @description Default Response */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  stopJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listJobResults: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description Of a bulk: these alone */
        state?: 'done' | 'refused';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobResults'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getHalt: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  haltSending: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  liftHalt: {
    parameters: {
      query?: {
        reason?: string & (unknown & unknown);
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          reason?: string & (unknown & unknown);
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listKeys: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Key'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateKeyInput'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedKey'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rotateKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateKeyInput'] | null;
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewKey'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  revokeKey: {
    parameters: {
      query?: {
        reason?: string & (unknown & unknown);
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          reason?: string & (unknown & unknown);
        } | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Key'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listApprovals: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        state?: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            items: components['schemas']['Approval'][];
            nextCursor: string | null;
          };
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  approveRequest: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rejectRequest: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  openSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndedSession'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  importSubscriptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-ndjson': components['schemas']['ImportLineInput'];
        'text/csv': string;
      };
    };
    responses: {
      /** @description One line each */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['ImportAnswer'];
        };
      };
      /** @description Refused; `code` says why */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not done, or not known to be */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  on_subscription_created: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'subscription.created';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_subscription_activated: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'subscription.activated';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            dueAt: string | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_subscription_paused: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'subscription.paused';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            until: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_subscription_resumed: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'subscription.resumed';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            since: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_subscription_cancelled: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'subscription.cancelled';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cancelledBy: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_subscription_completed: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'subscription.completed';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycles: number | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_subscription_replaced: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'subscription.replaced';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            by: string | null;
            from: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_consent_failed: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'consent.failed';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_cycle_upcoming: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'cycle.upcoming';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            dueAt: string | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_cycle_collected: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'cycle.collected';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            attempt: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            dueAt: string | null;
            collectedAt: string | null;
            late: boolean | null;
            adopted: boolean | null;
            authorizationId: string | null;
            captureId: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_cycle_dunning: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'cycle.dunning';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            attempt: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            dueAt: string | null;
            detail: string | null;
            retryAt: string | null;
            retriesLeft: number | null;
            willRetry: boolean | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_cycle_failed: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'cycle.failed';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            attempt: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            dueAt: string | null;
            detail: string | null;
            authorizationId: string | null;
            captureId: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_cycle_skipped: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'cycle.skipped';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            dueAt: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_cycle_missed: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'cycle.missed';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            dueAt: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_cycle_unresolved: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'cycle.unresolved';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            attempt: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            dueAt: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_cycle_resolved: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'cycle.resolved';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            attempt: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            dueAt: string | null;
            outcome: string | null;
            paidCycle: number | null;
            authorizationId: string | null;
            captureId: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_amount_change_accepted: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'amount_change.accepted';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            previousAmount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            fromCycle: number | null;
            effectiveAt: string | null;
            kind: string | null;
            countsAsIncrease: boolean | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_amount_change_withdrawn: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'amount_change.withdrawn';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            previousAmount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            fromCycle: number | null;
            effectiveAt: string | null;
            kind: string | null;
            countsAsIncrease: boolean | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_amount_change_dropped: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'amount_change.dropped';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            previousAmount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            fromCycle: number | null;
            effectiveAt: string | null;
            kind: string | null;
            countsAsIncrease: boolean | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_amount_change_applied: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'amount_change.applied';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            previousAmount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_refund_successful: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'refund.successful';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            refundId: string | null;
            serviceRefundId: string | null;
            captureId: string | null;
            detail: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_refund_failed: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'refund.failed';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            refundId: string | null;
            serviceRefundId: string | null;
            captureId: string | null;
            detail: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_refund_unresolved: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'refund.unresolved';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            cycle: number | null;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            refundId: string | null;
            serviceRefundId: string | null;
            captureId: string | null;
            detail: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_payment_authorized: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'payment.authorized';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            authorizationId: string | null;
            captureBy: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_payment_captured: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'payment.captured';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            captureId: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_payment_released: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'payment.released';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_payment_expired: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'payment.expired';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            captureBy: string | null;
            captured: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_payment_failed: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'payment.failed';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            authorizationId: string | null;
            captureId: string | null;
            detail: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_capture_successful: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'capture.successful';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            orderId: string | null;
            captureId: string | null;
            detail: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_capture_failed: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'capture.failed';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            orderId: string | null;
            captureId: string | null;
            detail: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_capture_unresolved: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'capture.unresolved';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            amount: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
            orderId: string | null;
            captureId: string | null;
            detail: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_capture_deadline_near: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'capture.deadline_near';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            captureBy: string | null;
            remaining: {
              value: number;
              /** @constant */
              currency: 'EUR';
            } | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_notice_delivered: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'notice.delivered';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            noticeId: string | null;
            notice: string | null;
            cycle: number | null;
            attempt: number | null;
            channel: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_notice_undeliverable: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'notice.undeliverable';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            noticeId: string | null;
            notice: string | null;
            cycle: number | null;
            attempt: number | null;
            channel: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_attention_opened: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'attention.opened';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            matter: string | null;
            cycle: number | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_attention_cleared: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'attention.cleared';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            matter: string | null;
            cycle: number | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_reconciliation_difference: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'reconciliation.difference';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @description Left out of a test */
          sequence?: number;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            kind: string | null;
            cycle: number | null;
            authorizationId: string | null;
            captureId: string | null;
            refundId: string | null;
            serviceRefundId: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_audit_head: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'audit.head';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            entries: number | null;
            head: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_endpoint_disabled: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'endpoint.disabled';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            endpointId: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_endpoint_recovered: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'endpoint.recovered';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            endpointId: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_endpoint_test: {
    parameters: {
      query?: never;
      header: {
        'webhook-id': string;
        'webhook-timestamp': string;
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @constant */
          type: 'endpoint.test';
          /** @description The webhook-id */
          id: string;
          /**
           * Format: date-time
           * @description Business time
           */
          timestamp: string;
          /** @constant */
          schema: 1;
          test: boolean;
          data: {
            subscriptionId: string | null;
            paymentId: string | null;
            metadata: {
              [key: string]: string;
            };
            payer: {
              reference: string | null;
            };
            reason: string | null;
            /** @description The number of the rule in docs/rules.md */
            rule: number | null;
            /** @description In plain words */
            text: string;
            endpointId: string | null;
          };
        };
      };
    };
    responses: {
      /** @description Taken. Anything else is tried again; 410 disables the endpoint. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
