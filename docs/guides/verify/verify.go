// Verifies a webhook of Parley with nothing but Go's standard library.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

// IsGenuine takes the body as it came: parse the JSON afterwards.
func IsGenuine(secret, signatureHeader string, body []byte, now time.Time) bool {
	var signed string
	var signatures []string
	for _, part := range strings.Split(signatureHeader, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			signed = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseUint(signed, 10, 40)
	if err != nil {
		return false
	}
	if age := now.Unix() - int64(seconds); age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(signed + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	// While a secret is rotated there are two signatures; one that fits is enough.
	for _, signature := range signatures {
		if given, err := hex.DecodeString(signature); err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

// WEBHOOK_SECRET=whsec_... go run verify.go "$X_SERVICE_SIGNATURE" < body
func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil || !IsGenuine(os.Getenv("WEBHOOK_SECRET"), os.Args[1], body, time.Now()) {
		os.Exit(1)
	}
}
