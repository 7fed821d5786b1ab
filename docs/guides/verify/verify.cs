// Verifies a webhook of Parley with nothing but .NET, or Mono.
using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class Verify
{
    const long ToleranceSeconds = 300;

    /// <summary>The body must be the bytes as they came: parse the JSON afterwards.</summary>
    public static bool IsGenuine(string secret, string signatureHeader, byte[] body, DateTimeOffset now)
    {
        var parts = signatureHeader.Split(',').Select(part => part.Trim().Split(new[] { '=' }, 2)).ToArray();
        Func<string, string[]> valuesOf = name =>
            parts.Where(part => part.Length == 2 && part[0] == name).Select(part => part[1]).ToArray();
        var times = valuesOf("t");
        if (times.Length != 1 || !Regex.IsMatch(times[0], @"\A[0-9]{1,12}\z")) return false;
        if (Math.Abs(now.ToUnixTimeSeconds() - long.Parse(times[0])) > ToleranceSeconds) return false;
        byte[] hash;
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
            hash = hmac.ComputeHash(Encoding.UTF8.GetBytes(times[0] + ".").Concat(body).ToArray());
        var expected = Encoding.UTF8.GetBytes(BitConverter.ToString(hash).Replace("-", "").ToLowerInvariant());
        // While a secret is rotated there are two signatures; one that fits is enough.
        return valuesOf("v1").Any(given =>
            CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), expected));
    }

    // WEBHOOK_SECRET=whsec_... dotnet run verify.cs -- "$X_SERVICE_SIGNATURE" < body   (.NET 10)
    public static int Main(string[] args)
    {
        var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "";
        return IsGenuine(secret, args[0], body.ToArray(), DateTimeOffset.UtcNow) ? 0 : 1;
    }
}
