// The story with the client that openapi-generator writes for Go.
package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	parley "local/parley/client"
)

type delivery struct{ Signature, Body string }

func main() {
	config := parley.NewConfiguration()
	config.Servers = parley.ServerConfigurations{{URL: os.Getenv("PARLEY_BASE_URL") + "/api/v1"}}
	client := parley.NewAPIClient(config)
	ctx := context.WithValue(context.Background(), parley.ContextAccessToken, os.Getenv("PARLEY_API_KEY"))
	phone := "+12025550146"

	person := parley.NewPersonCreate()
	person.SetDisplayName("Aiko Tanaka")
	person.SetPrimaryPhone(phone)
	made, _, err := client.PeopleAPI.CreatePerson(ctx).PersonCreate(*person).Execute()
	must(err)
	expect(made.DisplayName == "Aiko Tanaka", "a person was made")

	listed, _, err := client.PeopleAPI.ListPeople(ctx).Limit(1).Q("Tanaka").Execute()
	must(err)
	expect(len(listed.Data) == 1 && listed.Data[0].Id == made.Id, "the person is listed")

	voicemail, _, err := client.VoicemailsAPI.CreateVoicemail(ctx).
		VoicemailCreate(*parley.NewVoicemailCreate(*parley.NewNullableString(&phone))).Execute()
	must(err)
	uploaded, _, err := client.VoicemailsAPI.PutVoicemailRecording(ctx, voicemail.Id).Body(silence()).Execute()
	must(err)
	expect(uploaded.RecordingStatus == "available", "its recording is there")

	url := os.Getenv("INBOX_URL") + "/openapi-generator-go"
	wanted := parley.NewWebhookCreate(url)
	wanted.SetEventTypes([]parley.WebhookEventType{parley.CALL_ENDED})
	webhook, _, err := client.WebhooksAPI.CreateWebhook(ctx).WebhookCreate(*wanted).Execute()
	must(err)
	// Left out, it would be sent as null, which is no JSON object.
	sample := *parley.NewTestWebhookBody()
	_, _, err = client.WebhooksAPI.TestWebhook(ctx, webhook.Id).TestWebhookBody(sample).Execute()
	must(err)
	expect(isSigned(webhook.Secret, untilPosted(url)), "its delivery is signed")
}

func must(err error) {
	if refused, ok := err.(*parley.GenericOpenAPIError); ok {
		log.Fatal(refused, string(refused.Body()))
	}
	if err != nil {
		log.Fatal(err)
	}
}

func expect(isTrue bool, what string) {
	if !isTrue {
		log.Fatal("Not so: ", what)
	}
}

// A second of silence, as a WAV file.
func silence() *os.File {
	file, err := os.CreateTemp("", "silence-*.wav")
	must(err)
	head := "RIFF\x64\x1f\x00\x00WAVEfmt "
	_, err = file.WriteString(head + strings.Repeat("\x00", 8028))
	must(err)
	_, err = file.Seek(0, 0)
	must(err)
	must(os.Remove(file.Name()))
	return file
}

func untilPosted(url string) delivery {
	certificate, err := os.ReadFile(os.Getenv("INBOX_CA"))
	must(err)
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(certificate)
	inbox := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}}
	for tries := 0; tries < 3000; tries++ {
		answer, err := inbox.Get(url)
		must(err)
		if answer.StatusCode == http.StatusOK {
			var posted delivery
			must(json.NewDecoder(answer.Body).Decode(&posted))
			return posted
		}
		answer.Body.Close()
		time.Sleep(100 * time.Millisecond)
	}
	log.Fatal("No webhook came within five minutes")
	return delivery{}
}

func isSigned(secret string, posted delivery) bool {
	parts := map[string]string{}
	for _, part := range strings.Split(posted.Signature, ",") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(parts["t"] + "." + posted.Body))
	return hmac.Equal([]byte(parts["v1"]), []byte(hex.EncodeToString(mac.Sum(nil))))
}
