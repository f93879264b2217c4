// The play through the client that openapi-generator generates for Go: package `dueday`.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	dueday "example.test/dueday"
)

const id = "from-go"

var deadline = time.Now().Add(2 * time.Minute)

func main() {
	settings := dueday.NewConfiguration()
	settings.Servers = dueday.ServerConfigurations{{URL: os.Getenv("DUEDAY_URL")}}
	client := dueday.NewAPIClient(settings)
	ctx := context.WithValue(context.Background(), dueday.ContextAccessToken, os.Getenv("DUEDAY_KEY"))
	first, err := time.Parse(time.RFC3339, os.Getenv("FIRST_PAYMENT_AT"))
	check(err)

	address := dueday.NewAddress("Ada Byron", "Ring 1", "10115", "Berlin", "DE")
	address.SetEmail("wallet+approves+auto@example.test")
	payer := dueday.NewPayerDetails()
	payer.SetReference("go")
	order := dueday.NewCreateSubscription(
		*dueday.NewMoney(1999, "EUR"), "MONTHLY", first, first, "https://shop.example/return", *address, *payer)
	order.SetSubscriptionId(id)
	_, _, err = client.SubscriptionsAPI.CreateSubscription(ctx).CreateSubscription(*order).IdempotencyKey("create-from-go").Execute()
	check(err)
	until(func() bool { return status(client, ctx) == "active" })
	until(func() bool { return isCollected(client, ctx) })
	refund, _, err := client.CyclesAPI.RefundCycle(ctx, id, 0).
		CreateRefund(*dueday.NewCreateRefund(*dueday.NewMoney(500, "EUR"))).IdempotencyKey("refund-from-go").Execute()
	check(err)
	if refund.Amount.Value != 500 {
		panic(refund.Amount.Value)
	}
	_, _, err = client.SubscriptionsAPI.CancelSubscription(ctx, id).Execute()
	check(err)
	until(func() bool { return status(client, ctx) == "cancelled" })
	fmt.Println("completed")
}

func status(client *dueday.APIClient, ctx context.Context) string {
	subscription, _, err := client.SubscriptionsAPI.GetSubscription(ctx, id).Execute()
	check(err)
	return subscription.Status
}

func isCollected(client *dueday.APIClient, ctx context.Context) bool {
	page, _, err := client.SubscriptionsAPI.ListCycles(ctx, id).Execute()
	check(err)
	for _, cycle := range page.Items {
		if cycle.Cycle == 0 && cycle.Status == "collected" {
			return true
		}
	}
	return false
}

func until(isSo func() bool) {
	for !isSo() {
		if time.Now().After(deadline) {
			panic("not within two minutes")
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
