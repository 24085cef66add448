package dev.agentloop.tool.builtin.file;

import dev.agentloop.message.Image;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.ImageHeader;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Shows an image file to the model, if it sees and the image is one that every provider takes.
 *
 * @param seen whether the model sees
 */
record ImageView(boolean seen) {
    private static final int MAX_BYTES =
            3_750_000; // in base64 5 MB, the strictest provider's limit

    /** Empty for a file that is no image. */
    Optional<ToolResult> of(String shown, byte[] bytes) {
        Optional<ImageHeader.Kind> kind = ImageHeader.of(bytes);
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        String type = kind.get().mediaType();
        String what = "%s: %s, %d bytes".formatted(shown, type, bytes.length);
        if (!kind.get().hasSize()) {
            return Optional.of(ToolResult.error(what + ", damaged or cut off. It is not shown."));
        }
        if (!seen) {
            return Optional.of(ToolResult.ok(what + ". This model takes no images."));
        }
        if (kind.get().tooLarge()) {
            return Optional.of(
                    ToolResult.error(
                            what
                                    + ", more than 8000 pixels wide or high, which providers refuse."
                                    + " Make a smaller copy with run_command and view that."));
        }
        if (bytes.length > MAX_BYTES) {
            return Optional.of(
                    ToolResult.error(
                            what
                                    + ", too large to be shown (at most "
                                    + MAX_BYTES
                                    + "). Make a smaller copy with run_command and view that."));
        }
        Image image = new Image(type, Base64.getEncoder().encodeToString(bytes));
        return Optional.of(ToolResult.ok("[" + what + "]").withImages(List.of(image)));
    }
}
