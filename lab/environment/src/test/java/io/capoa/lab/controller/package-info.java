/** Tests of the controller kit. */
@NullMarked
package io.capoa.lab.controller;

import org.jspecify.annotations.NullMarked;
