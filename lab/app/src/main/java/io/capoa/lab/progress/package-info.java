/** Progress of installations for the user: a live table or plain lines. */
@NullMarked
package io.capoa.lab.progress;

import org.jspecify.annotations.NullMarked;
