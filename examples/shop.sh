# Reads DUEDAY_URL and DUEDAY_KEY; needs curl and openssl. Each function that calls the API prints the answer's JSON.

dueday() { # method, path, further arguments of curl
  curl --silent --show-error --fail-with-body --request "$1" "$DUEDAY_URL$2" \
    --header "authorization: Bearer $DUEDAY_KEY" --header 'content-type: application/json' "${@:3}"
}

open_endpoint() { # URL of the shop; only this answer has the secret
  dueday POST /v1/webhook-endpoints --data '{"url": "'"$1"'", "types": ["subscription.*", "consent.failed", "cycle.*", "refund.*"]}'
}

subscribe() { # order, try, time of the first payment; the answer has consent.redirectURL
  dueday POST /v1/subscriptions --header "idempotency-key: subscribe/$1-$2" --data @- <<JSON
{
  "subscriptionId": "$1-$2",
  "amount": {"value": 1999, "currency": "EUR"},
  "repetition": "MONTHLY",
  "startAt": "$3",
  "firstPaymentAt": "$3",
  "returnURL": "https://shop.example/order?id=$1",
  "billingAddress": {"name": "Ada Byron", "street": "Ring 1", "postalCode": "10115", "city": "Berlin", "country": "DE"},
  "payer": {"email": "ada@example.com", "reference": "customer 7"},
  "metadata": {"order": "$1"}
}
JSON
}

verify() { # secret, webhook-id, webhook-timestamp, webhook-signature, file with the unchanged body
  local key given
  key=$(printf '%s' "${1#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
  given=$( (printf '%s.%s.' "$2" "$3" && cat "$5") | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
  case " $4 " in *" v1,$given "*) ;; *) return 1 ;; esac
  [ $(($(date +%s) - $3)) -le 300 ]
}

events() { # nextCursor of the previous answer; none at first
  dueday GET "/v1/events?limit=200${1:+&after=$1}"
}

refund() { # order, try, cycle
  dueday POST "/v1/subscriptions/$1-$2/cycles/$3/refunds" --header "idempotency-key: refund/$1-$2/$3" \
    --data '{"amount": {"value": 1999, "currency": "EUR"}, "reason": "the coffee arrived cold"}'
}
