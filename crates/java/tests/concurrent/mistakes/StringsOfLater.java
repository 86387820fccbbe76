// expect: holds
// outcomes: [abab]
// Methods that String got after Java 8.
public class StringsOfLater {
    public static void main(String[] args) {
        System.out.println("[" + "  ab ".strip().repeat(2) + "]" + (" ".isBlank() ? "" : "?"));
    }
}
