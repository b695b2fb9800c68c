"""The player's and the spectator's end of Speed: a pure session and mirror, and the faces over them."""
