/** What a kubelet is known for, shown on processes. */
package io.capoa.lab.pods;
