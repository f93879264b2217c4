import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.function.Predicate;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CyclesApi;
import org.openapitools.client.api.SubscriptionsApi;
import org.openapitools.client.model.*;

/** The play through the client that openapi-generator generates for Java. */
public class Play {
  private static final String ID = "from-java";
  private static final Instant DEADLINE = Instant.now().plusSeconds(120);

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("DUEDAY_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("DUEDAY_KEY")));
    SubscriptionsApi subscriptions = new SubscriptionsApi(client);
    OffsetDateTime first = OffsetDateTime.parse(System.getenv("FIRST_PAYMENT_AT"));

    subscriptions.createSubscription(
        new CreateSubscription()
            .subscriptionId(ID)
            .amount(eur(1999L))
            .repetition(CreateSubscription.RepetitionEnum.MONTHLY)
            .startAt(first)
            .firstPaymentAt(first)
            .returnURL("https://shop.example/return")
            .billingAddress(
                new Address()
                    .name("Ada Byron")
                    .street("Ring 1")
                    .postalCode("10115")
                    .city("Berlin")
                    .country("DE")
                    .email("wallet+approves+auto@example.test"))
            .payer(new PayerDetails().reference("java")),
        "create-from-java",
        null);
    until(subscriptions, Subscription.StatusEnum.ACTIVE);
    while (subscriptions.listCycles(ID, null, null, null).getItems().stream().noneMatch(isCollected())) rest();
    Refund refund =
        new CyclesApi(client)
            .refundCycle(ID, 0, "refund-from-java", new CreateRefund().amount(eur(500L)), null, null);
    if (refund.getAmount().getValue() != 500L) throw new IllegalStateException(refund.toString());
    subscriptions.cancelSubscription(ID, null, null, null);
    until(subscriptions, Subscription.StatusEnum.CANCELLED);
    System.out.println("completed");
  }

  private static Money eur(Long value) {
    return new Money().value(value).currency(Money.CurrencyEnum.EUR);
  }

  private static Predicate<Cycle> isCollected() {
    return cycle -> cycle.getCycle() == 0 && cycle.getStatus() == Cycle.StatusEnum.COLLECTED;
  }

  private static void until(SubscriptionsApi subscriptions, Subscription.StatusEnum status) throws Exception {
    while (subscriptions.getSubscription(ID, null).getStatus() != status) rest();
  }

  private static void rest() throws InterruptedException {
    if (Instant.now().isAfter(DEADLINE)) throw new IllegalStateException("not within two minutes");
    Thread.sleep(200);
  }
}
