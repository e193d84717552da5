/** What a person sees of clusters that are being installed: a live table or plain lines. */
@NullMarked
package io.capoa.lab.progress;

import org.jspecify.annotations.NullMarked;
