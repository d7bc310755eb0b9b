// Pays at a sandbox with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"

	multirail "shop/multirail"
)

func main() {
	settings := multirail.NewConfiguration()
	settings.Servers = multirail.ServerConfigurations{{URL: os.Getenv("URL")}}
	client := multirail.NewAPIClient(settings)
	keys := map[string]multirail.APIKey{"api_key": {Key: os.Getenv("KEY")}}
	ctx := context.WithValue(context.Background(), multirail.ContextAPIKeys, keys)

	order := multirail.NewPaymentCreateRequest(6540, multirail.CURRENCY_USD)
	order.SetCaptureMethod(multirail.CAPTUREMETHOD_MANUAL)
	created, _, err := client.PaymentsAPI.PaymentsCreate(ctx).IdempotencyKey("order-2041").PaymentCreateRequest(*order).Execute()
	check(err)

	card := multirail.NewCardRequest("4242424242424242", "10", "2035", "123")
	instrument := multirail.NewPaymentMethodDataRequest()
	instrument.SetCard(*card)
	confirm := multirail.NewPaymentConfirmRequest()
	confirm.SetPaymentMethod(multirail.PAYMENTMETHOD_CARD)
	confirm.SetPaymentMethodData(*instrument)
	held, _, err := client.PaymentsAPI.PaymentsConfirm(ctx, created.PaymentId).PaymentConfirmRequest(*confirm).Execute()
	check(err)
	if held.Status != multirail.PAYMENTSTATUS_REQUIRES_CAPTURE || held.GetCaptureMethod() != multirail.CAPTUREMETHOD_MANUAL {
		log.Fatalf("it is %s, %s", held.Status, held.GetCaptureMethod())
	}

	// A newer server's word, and null.
	var newer, none multirail.NullableCaptureMethod
	check(json.Unmarshal([]byte(`"by_moonlight"`), &newer))
	check(json.Unmarshal([]byte("null"), &none))
	if *newer.Get() != multirail.CAPTUREMETHOD_UNKNOWN_DEFAULT_OPEN_API || none.Get() != nil {
		log.Fatalf("read as %v and %v", newer.Get(), none.Get())
	}

	_, response, err := client.PaymentsAPI.PaymentsRetrieve(ctx, "pay_none").Execute()
	var refused *multirail.GenericOpenAPIError
	if !errors.As(err, &refused) || response.StatusCode != 404 {
		log.Fatalf("a payment that isn't there: %v", err)
	}
	fmt.Printf("%s is %s; refused: %s\n", held.PaymentId, held.Status, refused.Body())
}

func check(err error) {
	var refused *multirail.GenericOpenAPIError
	if errors.As(err, &refused) {
		log.Fatalf("%v: %s", err, refused.Body())
	}
	if err != nil {
		log.Fatal(err)
	}
}
